; definitions
(function_item name: (identifier) @name body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(enum_item name: (type_identifier) @name) @definition.enum
(union_item name: (type_identifier) @name) @definition.union
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(mod_item name: (identifier) @name body: (_) @body) @definition.module
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
(macro_definition name: (identifier) @name) @definition.macro
(impl_item type: [(type_identifier) @scope.name (generic_type type: (type_identifier) @scope.name) (scoped_type_identifier name: (type_identifier) @scope.name)]) @scope

(line_comment) @comment
(block_comment) @comment
(attribute_item) @decoration

; references
(call_expression function: (identifier) @reference.call)
(call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call))
(call_expression function: (field_expression value: (_) @qualifier field: (field_identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @qualifier name: (identifier) @reference.call)))
(call_expression function: (generic_function function: (field_expression value: (_) @qualifier field: (field_identifier) @reference.call)))
(macro_invocation macro: (identifier) @reference.call)
(struct_expression name: (type_identifier) @reference.type)
(parameter type: [(type_identifier) @reference.type (reference_type type: (type_identifier) @reference.type)])
(function_item return_type: (type_identifier) @reference.type)
(field_declaration type: (type_identifier) @reference.type)
(type_arguments (type_identifier) @reference.type)
(impl_item trait: (type_identifier) @reference.type)

; functions as values
(arguments (identifier) @reference.value)
(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local)
(closure_parameters (identifier) @local)

; imports
(use_declaration argument: (scoped_identifier name: (identifier) @import.name) @import.target) @import
(use_declaration argument: (use_as_clause path: (scoped_identifier name: (identifier) @import.name) @import.target alias: (identifier) @import.alias)) @import
(use_declaration argument: (scoped_use_list path: (_) @import.target list: (use_list (identifier) @import.name))) @import
(use_declaration argument: (use_wildcard (_) @import.target "*" @import.name)) @import
(mod_item name: (identifier) @import.target !body) @import
