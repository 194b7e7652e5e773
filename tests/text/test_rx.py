from __future__ import annotations

import subprocess
import sys

import pytest

from token_saver.text import rx as package_level
from token_saver.text.rx import Rx, _row, compile_table, rx

SAMPLES = [r"(?i)error", r"(?P<name>\w+)-(?P<rest>\d+)", r"(?m)^a|b$", r"(?x) a  b # c", r"(?<!x)y", r"[^\W\d]+", "…[█]"]


@pytest.mark.parametrize("pattern", SAMPLES)
def test_a_row_of_the_table_makes_the_pattern_that_re_makes(pattern: str) -> None:
    import _sre  # type: ignore[import-not-found]
    import re

    assert _sre.compile(*_row(pattern)) == re.compile(pattern)
    assert _sre.compile(*_row(pattern)).groupindex == re.compile(pattern).groupindex


def test_methods_are_those_of_the_compiled_pattern() -> None:
    pattern = rx(r"(\d+)")
    assert pattern.search("a 12").group(1) == "12"  # type: ignore[union-attr]
    assert pattern.sub("#", "1 and 22") == "# and #"
    with pytest.raises(AttributeError):
        pattern.no_such_method  # noqa: B018


def test_the_table_is_by_module_and_serves_without_re() -> None:
    rx("only in this test")
    table = compile_table()
    assert __name__ in table and package_level is rx
    code = (
        "import sys; from token_saver.text.rx import Rx, use_table; use_table({'m': %r}); "
        "p = Rx('only in this test', 'm'); assert p.search('only in this test'); assert 're' not in sys.modules"
    )
    import pathlib

    import token_saver

    src = str(pathlib.Path(token_saver.__file__).parent.parent)
    run = f"import sys; sys.path.insert(0, {src!r}); " + code % table[__name__]
    subprocess.run([sys.executable, "-I", "-S", "-c", run], check=True)


def test_a_damaged_table_falls_back_to_re() -> None:
    from token_saver.text import rx as _  # noqa: F401
    from token_saver.text.rx import use_table

    use_table({"damaged": b"\x00garbage"})
    assert Rx(r"\d", "damaged").match("7")
