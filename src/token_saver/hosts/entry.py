"""The file that hosts start: ``PYTHON -I -S …/token_saver/hosts/entry.py run -- CMD…`` (see ``launcher``).

A script is compiled at every start and has no cache, so all it does is to find the module that has one.
"""

import gc
import sys

gc.disable()  # Nothing here lives long enough to be collected, and every import would set the collector off.
sys.path.append(__file__.rsplit("/", 3)[0])

if sys.argv[1:2] in (["run"], ["raw"]):
    from token_saver.hosts.wrapper import start
elif sys.argv[1:2] == ["hook"]:
    from token_saver.hosts.hook import start
elif sys.argv[1:2] == ["prefix"]:
    from token_saver.hosts.prefix import start
elif sys.argv[1:2] == ["refresh"]:
    from token_saver.hosts.refresh import start
else:
    from token_saver.hosts.command import start

start()
