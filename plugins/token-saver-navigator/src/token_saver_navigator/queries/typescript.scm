; definitions
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(class_declaration name: (_) @name body: (_) @body) @definition.class
(method_definition name: (_) @name body: (_) @body) @definition.method
(program [(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) (variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))] @definition.function)
(export_statement declaration: [(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) (variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))] @definition.function)
(statement_block (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @definition.function)
(program [(lexical_declaration (variable_declarator name: (identifier) @name)) (variable_declaration (variable_declarator name: (identifier) @name))] @definition.variable)
(export_statement declaration: [(lexical_declaration (variable_declarator name: (identifier) @name)) (variable_declaration (variable_declarator name: (identifier) @name))] @definition.variable)
(assignment_expression left: (member_expression object: (_) @receiver property: (property_identifier) @name) right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]) @definition.method
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @definition.method
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(type_alias_declaration name: (_) @name) @definition.type
(function_signature name: (identifier) @name) @definition.function
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(internal_module name: (_) @name body: (_) @body) @definition.module
(module name: (_) @name body: (_) @body) @definition.module
(ambient_declaration) @outer
(export_statement) @outer

(comment) @comment
(decorator) @decoration

; references
(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression object: (_) @qualifier property: (property_identifier) @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression object: (_) @qualifier property: (property_identifier) @reference.call))
(class_heritage [(extends_clause value: (identifier) @reference.type) (implements_clause (type_identifier) @reference.type)])
(decorator (identifier) @reference.call)

(type_annotation (type_identifier) @reference.type)
(type_annotation (generic_type name: (type_identifier) @reference.type))
(type_annotation (array_type (type_identifier) @reference.type))
(type_arguments (type_identifier) @reference.type)
(union_type (type_identifier) @reference.type)
(extends_type_clause type: (type_identifier) @reference.type)

; functions as values
(arguments (identifier) @reference.value)
(pair value: (identifier) @reference.value)
(array (identifier) @reference.value)
(object (shorthand_property_identifier) @reference.value)
(variable_declarator value: (identifier) @reference.value)
(return_statement (identifier) @reference.value)
(assignment_expression right: (identifier) @reference.value)
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
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
