; definitions
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(program (assignment left: (constant) @name) @definition.constant)
(body_statement (assignment left: (constant) @name) @definition.constant)

(comment) @comment

; references
(call !receiver method: (identifier) @reference.call)
(call receiver: (_) @qualifier method: (identifier) @reference.call)
((call receiver: (constant) @reference.call method: (identifier) @_new) (#eq? @_new "new"))
(superclass (constant) @reference.type)
((call method: (identifier) @_mix arguments: (argument_list (constant) @reference.type)) (#any-of? @_mix "include" "extend" "prepend"))
(body_statement (identifier) @reference.call)
(assignment right: (identifier) @reference.value)
(method_parameters (identifier) @local)
(assignment left: (identifier) @local)

; imports
((call method: (identifier) @_require arguments: (argument_list . (string) @import.target)) @import (#eq? @_require "require"))
((call method: (identifier) @_require arguments: (argument_list . (string) @import.target)) @import (#eq? @_require "require_relative"))
