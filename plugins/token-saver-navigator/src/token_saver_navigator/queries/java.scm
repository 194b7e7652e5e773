; definitions
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(record_declaration name: (identifier) @name body: (_) @body) @definition.record
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(enum_constant name: (identifier) @name) @definition.constant

(line_comment) @comment
(block_comment) @comment

; references
(method_invocation !object name: (identifier) @reference.call)
(method_invocation object: (_) @qualifier name: (identifier) @reference.call)
(object_creation_expression type: [(type_identifier) @reference.call (generic_type (type_identifier) @reference.call)])
(method_reference (_) @qualifier (identifier) @reference.value .)
(superclass (type_identifier) @reference.type)
(super_interfaces (type_list (type_identifier) @reference.type))
(extends_interfaces (type_list (type_identifier) @reference.type))
(formal_parameter type: (type_identifier) @reference.type)
(field_declaration type: (type_identifier) @reference.type)
(method_declaration type: (type_identifier) @reference.type)
(local_variable_declaration type: (type_identifier) @reference.type)
(type_arguments (type_identifier) @reference.type)
(marker_annotation name: (identifier) @reference.type)
(annotation name: (identifier) @reference.type)

; imports
(import_declaration (scoped_identifier name: (identifier) @import.name) @import.target .) @import
(import_declaration (scoped_identifier) @import.target (asterisk) @import.name) @import
