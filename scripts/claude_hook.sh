#!/bin/sh
# The hook of the Claude Code plugin, from a checkout: claude_hook.sh MODE, with the event on stdin.
# Where no interpreter can run Token-Saver it is silent, which this host takes for no opinion.
root=${0%/*}/..
python=$root/.venv/bin/python
[ -x "$python" ] || python=$(command -v python3) || exit 0
[ -f "$root/src/token_saver/hosts/entry.py" ] || exit 0
"$python" -I -S "$root/src/token_saver/hosts/entry.py" hook claude "$@" 2>/dev/null
exit 0
