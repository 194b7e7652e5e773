; definitions
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(method_definition name: (_) @name body: (_) @body) @definition.method
(program [(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) (variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))] @definition.function)
(export_statement declaration: [(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) (variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))] @definition.function)
(statement_block (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @definition.function)
(program [(lexical_declaration (variable_declarator name: (identifier) @name)) (variable_declaration (variable_declarator name: (identifier) @name))] @definition.variable)
(export_statement declaration: [(lexical_declaration (variable_declarator name: (identifier) @name)) (variable_declaration (variable_declarator name: (identifier) @name))] @definition.variable)
(assignment_expression left: (member_expression object: (_) @receiver property: (property_identifier) @name) right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
(field_definition property: (_) @name value: (arrow_function body: (_) @body)) @definition.method
(export_statement) @outer

(comment) @comment
(decorator) @decoration

; references
(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression object: (_) @qualifier property: (property_identifier) @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression object: (_) @qualifier property: (property_identifier) @reference.call))
(class_heritage (identifier) @reference.type)
(jsx_opening_element name: (identifier) @reference.call)
(jsx_self_closing_element name: (identifier) @reference.call)
(decorator (identifier) @reference.call)

; functions as values
(arguments (identifier) @reference.value)
(pair value: (identifier) @reference.value)
(array (identifier) @reference.value)
(object (shorthand_property_identifier) @reference.value)
(variable_declarator value: (identifier) @reference.value)
(return_statement (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(formal_parameters [(identifier) @local (assignment_pattern left: (identifier) @local) (rest_pattern (identifier) @local)])
(arrow_function parameter: (identifier) @local)
(statement_block [(lexical_declaration (variable_declarator name: (identifier) @local)) (variable_declaration (variable_declarator name: (identifier) @local))])

; imports
(import_statement "import" . (string) @import.target) @import
(import_statement (import_clause (identifier) @import.alias) source: (string) @import.target) @import
(import_statement (import_clause (namespace_import (identifier) @import.alias)) source: (string) @import.target) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name !alias))) source: (string) @import.target) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_) @import.alias))) source: (string) @import.target) @import
(export_statement (export_clause (export_specifier name: (_) @import.name !alias)) source: (string) @import.target) @import
(export_statement (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias)) source: (string) @import.target) @import
(export_statement "*" @import.name source: (string) @import.target) @import
((variable_declarator name: (identifier) @import.alias value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.target))) @import (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.target))) @import (#eq? @_require "require"))
