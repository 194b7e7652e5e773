"""A hook's decision alone, started as hosts start a hook: an event on stdin, the rewritten command on stdout."""

import gc
import sys

gc.disable()
sys.path += [__file__.rsplit("/", 2)[0], __file__.rsplit("/", 2)[0] + "/src"]

from benchmarks.hook_decision import start  # noqa: E402

start()
