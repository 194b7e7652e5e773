; definitions
(function_definition declarator: [
  (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)
  (pointer_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))
  ] body: (_)? @body) @definition.function
(translation_unit (declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))]) @definition.declaration)
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: (field_identifier) @name))]) @definition.declaration
(class_specifier name: [(type_identifier) (qualified_identifier)] @name body: (_) @body) @definition.class
(struct_specifier name: [(type_identifier) (qualified_identifier)] @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
(enum_specifier name: (type_identifier) @name body: (_)) @definition.enum
(namespace_definition name: (namespace_identifier) @name body: (_) @body) @definition.module
(type_definition declarator: (type_identifier) @name) @definition.type
(alias_declaration name: (type_identifier) @name) @definition.type
(preproc_def name: (identifier) @name value: (_)) @definition.constant
(preproc_function_def name: (identifier) @name) @definition.macro
(template_declaration) @outer

(comment) @comment

; references
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression argument: (_) @qualifier field: (field_identifier) @reference.call))
(call_expression function: (qualified_identifier scope: (_) @qualifier name: (identifier) @reference.call))
(call_expression function: (template_function name: (identifier) @reference.call))
(new_expression type: (type_identifier) @reference.call)
(base_class_clause (type_identifier) @reference.type)
(parameter_declaration type: (type_identifier) @reference.type)
(declaration type: (type_identifier) @reference.type)
(field_declaration type: (type_identifier) @reference.type)
(type_descriptor type: (type_identifier) @reference.type)

; functions as values
(argument_list (identifier) @reference.value)
(initializer_list (identifier) @reference.value)
(parameter_declaration declarator: [(identifier) @local (pointer_declarator declarator: (identifier) @local) (reference_declarator (identifier) @local)])
(compound_statement (declaration declarator: [(identifier) @local (init_declarator declarator: (identifier) @local)]))

; imports
(preproc_include path: (_) @import.target) @import
