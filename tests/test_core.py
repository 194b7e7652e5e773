from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import token_saver
from token_saver import core
from token_saver.engine import CompressionEngine
from token_saver.processors.generic import GenericProcessor

REPEATED = "one line that says nothing new\n" * 40


def test_the_public_name_returns_the_whole_result() -> None:
    result = token_saver.compress("unknown-tool", REPEATED, exit_code=0)
    assert result.changed and result.processor == "generic" and result.omissions == ((39, "similar line"),)


def test_an_injected_engine_needs_no_configuration() -> None:
    engine = CompressionEngine([GenericProcessor()], settings={"enabled": True, "min_input_length": 1})
    assert core.compress("x", REPEATED, compressor=engine).changed


def test_any_compressor_with_an_event_will_do() -> None:
    class Other:
        last_event = {"attempted_processor": "first", "redacted": True}

        def compress(self, command: str, output: str, exit_code: int | None = None) -> tuple[str, str, bool]:
            return output.upper(), "other", True

    result = core.compress("x", "abc", compressor=Other())
    assert (result.output, result.processor, result.attempted, result.redacted) == ("ABC", "other", "first", True)


def test_an_error_of_ours_costs_no_output() -> None:
    class Broken:
        last_event: dict[str, Any] = {}

        def compress(self, command: str, output: str, exit_code: int | None = None) -> tuple[str, str, bool]:
            raise RuntimeError("secret")

    result = core.compress("x", REPEATED, compressor=Broken())
    assert result.output is REPEATED and result.processor == "passthrough" and result.fault == "RuntimeError"


def test_importing_the_package_loads_nothing_else_and_touches_no_file() -> None:
    code = (
        "import sys; before = set(sys.modules); import token_saver; new = set(sys.modules) - before; "
        "print(*sorted(name for name in new if not name.startswith('__')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["token_saver"]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        token_saver.no_such_name  # noqa: B018
