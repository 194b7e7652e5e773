; definitions
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(class_definition name: (identifier) @name body: (block) @body) @definition.class
(decorated_definition definition: (_)) @outer
(module (expression_statement (assignment left: (identifier) @name)) @definition.variable)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @definition.attribute))
(type_alias_statement left: (type (identifier) @name)) @definition.type

; docstrings
(function_definition body: (block . (expression_statement . [(string) (concatenated_string)] @doc .)))
(class_definition body: (block . (expression_statement . [(string) (concatenated_string)] @doc .)))
(module . (comment)* . (expression_statement . [(string) (concatenated_string)] @doc.module .))

(comment) @comment

; references
(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @qualifier attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @qualifier attribute: (identifier) @reference.call))
(class_definition superclasses: (argument_list (identifier) @reference.type))
(class_definition superclasses: (argument_list (attribute object: (_) @qualifier attribute: (identifier) @reference.type)))
(type (identifier) @reference.type)
(type (binary_operator (identifier) @reference.type))
(generic_type (identifier) @reference.type)

; imports
(import_statement name: (dotted_name) @import.target) @import
(import_statement name: (aliased_import name: (dotted_name) @import.target alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.target name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.target
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)) @import
(import_from_statement module_name: (_) @import.target (wildcard_import) @import.name) @import
(future_import_statement) @import

; functions as values: what is handed on without being called, and the local names that are no such thing
(argument_list [(identifier) @reference.value (attribute object: (_) @qualifier attribute: (identifier) @reference.value)])
(keyword_argument value: [(identifier) @reference.value (attribute object: (_) @qualifier attribute: (identifier) @reference.value)])
(pair value: [(identifier) @reference.value (attribute object: (_) @qualifier attribute: (identifier) @reference.value)])
(assignment right: [(identifier) @reference.value (attribute object: (_) @qualifier attribute: (identifier) @reference.value)])
(return_statement [(identifier) @reference.value (attribute object: (_) @qualifier attribute: (identifier) @reference.value)])
(list (identifier) @reference.value)
(tuple (identifier) @reference.value)
(expression_list (identifier) @reference.value)
(parameters [(identifier) @local (typed_parameter . (identifier) @local) (default_parameter name: (identifier) @local)
  (typed_default_parameter name: (identifier) @local) (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(lambda_parameters (identifier) @local)
(assignment left: [(identifier) @local (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(for_statement left: [(identifier) @local (pattern_list (identifier) @local)])
(for_in_clause left: [(identifier) @local (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
