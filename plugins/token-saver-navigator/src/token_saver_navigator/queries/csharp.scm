; definitions
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(record_declaration name: (identifier) @name) @definition.record
(enum_declaration name: (identifier) @name) @definition.enum
(delegate_declaration name: (identifier) @name) @definition.type
(namespace_declaration name: (_) @name body: (_) @body) @definition.module
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(local_function_statement name: (identifier) @name body: (_) @body) @definition.function
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(property_declaration name: (identifier) @name) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(enum_member_declaration name: (identifier) @name) @definition.constant

(comment) @comment

; references
(invocation_expression function: (identifier) @reference.call)
(invocation_expression function: (generic_name (identifier) @reference.call))
(invocation_expression function: (member_access_expression expression: (_) @qualifier name: (identifier) @reference.call))
(invocation_expression function: (member_access_expression expression: (_) @qualifier name: (generic_name (identifier) @reference.call)))
(object_creation_expression type: [(identifier) @reference.call (generic_name (identifier) @reference.call)])
(base_list (identifier) @reference.type)
(parameter type: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(attribute name: (identifier) @reference.type)

; functions as values
(argument (identifier) @reference.value)
(parameter name: (identifier) @local)
(block (local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local))))

; imports
(using_directive (_) @import.target) @import
