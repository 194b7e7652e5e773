"""The wrapper loads one family for a command; what a runner ran is read by its own family all the same."""

from __future__ import annotations

from tests.hosts.processes import Wrapper

PROGRAM = """#!/bin/sh
echo "python -m pytest -v"
echo "============================= test session starts =============================="
echo "rootdir: /srv/harbor"
echo "collected 80 items"
echo
n=0
while [ $n -lt 80 ]; do echo "tests/test_tide.py::test_$n PASSED [ 50%]"; n=$((n + 1)); done
echo
echo "============================== 80 passed in 0.31s =============================="
echo "make: Leaving directory '/srv/harbor'"
"""


def test_the_family_of_an_inner_command_is_found(wrapper: Wrapper) -> None:
    program = wrapper.directory / "make"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    shown = wrapper("run", "--", "./make", "test").stdout.decode()
    assert "80 passed in 0.31s" in shown and "python -m pytest -v" in shown
    assert "rootdir" not in shown and "test_41" not in shown
