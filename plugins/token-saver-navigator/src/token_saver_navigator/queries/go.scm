; definitions
(function_declaration name: (identifier) @name body: (block)? @body) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @receiver
  (pointer_type (type_identifier) @receiver)
  (generic_type type: (type_identifier) @receiver)
  (pointer_type (generic_type type: (type_identifier) @receiver))]))
  name: (field_identifier) @name body: (block)? @body) @definition.method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct)
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface)
(type_declaration (type_spec name: (type_identifier) @name type: [(type_identifier) (qualified_type) (function_type) (map_type) (slice_type) (pointer_type) (channel_type) (array_type) (generic_type)]) @definition.type)
(type_declaration (type_alias name: (type_identifier) @name) @definition.type)
(type_declaration . [(type_spec) (type_alias)] .) @outer
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))
(method_elem name: (field_identifier) @name) @definition.method

(comment) @comment

; references
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression operand: (_) @qualifier field: (field_identifier) @reference.call))
(composite_literal type: (type_identifier) @reference.type)
(composite_literal type: (qualified_type package: (_) @qualifier name: (type_identifier) @reference.type))
(parameter_declaration type: [(type_identifier) @reference.type (pointer_type (type_identifier) @reference.type)])
(field_declaration type: [(type_identifier) @reference.type (pointer_type (type_identifier) @reference.type)])
(qualified_type package: (_) @qualifier name: (type_identifier) @reference.type)

; imports
(import_spec path: (_) @import.target) @import
(import_spec name: (package_identifier) @import.alias path: (_) @import.target) @import
