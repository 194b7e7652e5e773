; definitions
(function_definition name: (word) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.variable)
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)

(comment) @comment

; references
(command name: (command_name (word) @reference.call))
((command name: (command_name (word) @_trap) argument: (word) @reference.value) (#any-of? @_trap "trap" "xargs" "time" "command"))

; imports
((command name: (command_name (word) @_source) argument: (_) @import.target) @import (#any-of? @_source "source" "."))
