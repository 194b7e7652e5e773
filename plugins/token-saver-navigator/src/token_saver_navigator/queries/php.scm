; definitions
(function_definition name: (name) @name body: (_) @body) @definition.function
(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(method_declaration name: (name) @name body: (_)? @body) @definition.method
(const_declaration (const_element . (name) @name)) @definition.constant
(property_declaration (property_element (variable_name (name) @name))) @definition.field
(enum_case name: (name) @name) @definition.constant

(comment) @comment

; references
(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name (name) @reference.call))
(member_call_expression object: (_) @qualifier name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @qualifier name: (name) @reference.call)
(scoped_call_expression scope: (_) @qualifier name: (name) @reference.call)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name (name) @reference.call))
(base_clause (name) @reference.type)
(class_interface_clause (name) @reference.type)
(use_declaration (name) @reference.type)
(named_type (name) @reference.type)

; imports
(namespace_use_clause (qualified_name (name) @import.name .) @import.target) @import
(namespace_use_clause (qualified_name (name) @import.name .) @import.target alias: (name) @import.alias) @import
(require_once_expression (_) @import.target) @import
(require_expression (_) @import.target) @import
(include_expression (_) @import.target) @import
(include_once_expression (_) @import.target) @import
