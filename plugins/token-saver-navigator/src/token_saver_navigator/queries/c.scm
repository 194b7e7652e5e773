; definitions
(function_definition declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
  ] body: (_) @body) @definition.function
(translation_unit (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @definition.declaration)
(preproc_ifdef (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @definition.declaration)
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.macro
(translation_unit (declaration declarator: [(init_declarator declarator: (identifier) @name) (identifier) @name]) @definition.variable)

(comment) @comment

; references
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @qualifier field: (field_identifier) @reference.call))
(parameter_declaration type: [(type_identifier) @reference.type (struct_specifier name: (type_identifier) @reference.type !body)])
(declaration type: [(type_identifier) @reference.type (struct_specifier name: (type_identifier) @reference.type !body)])
(field_declaration type: [(type_identifier) @reference.type (struct_specifier name: (type_identifier) @reference.type !body)])
(cast_expression type: (type_descriptor type: (type_identifier) @reference.type))
(sizeof_expression type: (type_descriptor type: (type_identifier) @reference.type))

; functions as values
(argument_list (identifier) @reference.value)
(initializer_list (identifier) @reference.value)
(initializer_pair value: (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(parameter_declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local)])
(compound_statement (declaration declarator: [(identifier) @local (init_declarator declarator: (identifier) @local) (pointer_declarator declarator: (identifier) @local)]))

; imports
(preproc_include path: (_) @import.target) @import
