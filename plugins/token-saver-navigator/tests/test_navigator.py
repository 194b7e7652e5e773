"""The questions over small projects: fresh answers, homonyms, edges with their confidence, refusals."""

from __future__ import annotations

import os
import pathlib

import pytest
from navigator_trees import Tree, git
from token_saver_navigator.navigator import Navigator

from token_saver.errors import InputError

PROJECT = {
    "shop/__init__.py": "from .prices import total\n",
    "shop/prices.py": '"""Prices."""\n\n\ndef total(rows: list[int]) -> int:\n'
    '    """Add up rows."""\n    return sum(map(rounded, rows))\n\n\n'
    "def rounded(value: float) -> int:\n    return int(value)\n",
    "shop/cart.py": "import json\n\nfrom shop.prices import total as add_up\n\n\nclass Cart:\n    def pay(self):\n"
    "        self.check()\n"
    "        return add_up([1])\n\n    def check(self):\n        return json.total(2)\n",
    "shop/stock.py": "class Stock:\n    def total(self):\n        return 0\n",
    "shop/front.py": "import shop\n\n\ndef show():\n    return shop.total([2])\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_pay():\n    assert Cart().pay() == 1\n",
}


@pytest.fixture
def shop(tree: Tree) -> pathlib.Path:
    return tree(PROJECT)


def test_an_outline_has_ranges_signatures_and_docstrings(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        answer = navigator.outline("shop/prices.py")
    assert "4-6 def total(rows: list[int]) -> int  — Add up rows." in answer.lines
    assert "6 files indexed" in answer.text and "tokens (characters / 4)" in answer.text


def test_a_symbol_comes_with_its_source(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        assert "return int(value)" in navigator.symbol("rounded").text


def test_an_edit_is_seen_at_once_and_a_removed_function_is_gone(shop: pathlib.Path) -> None:
    path = shop / "shop/prices.py"
    with Navigator(str(shop)) as navigator:
        navigator.symbol("rounded")
        path.write_text(path.read_text().replace("return int(value)", "return round(value)"))
        assert "return round(value)" in navigator.symbol("rounded").text
        path.write_text(path.read_text().partition("\n\n\ndef rounded")[0] + "\n\n\ndef other():\n    return 1\n")
        with pytest.raises(InputError, match=r"rounded is gone: it was a function in shop/prices\.py"):
            navigator.symbol("rounded")


def test_a_change_that_left_size_and_time_alone_is_seen_when_it_is_served(shop: pathlib.Path) -> None:
    path = shop / "shop/prices.py"
    with Navigator(str(shop)) as navigator:
        navigator.update()
        path.write_text(path.read_text().replace("def rounded(value", "def mangled(value").replace("int(value)", "sum(value)"))

        stamp = os.stat(path)
        navigator.index.db.execute(
            "UPDATE file SET mtime = ?, ctime = ?, inode = ?, size = ? WHERE path = 'shop/prices.py'",
            (stamp.st_mtime_ns, stamp.st_ctime_ns, stamp.st_ino, stamp.st_size),
        )
        with pytest.raises(InputError, match="rounded is gone"):
            navigator.symbol("rounded")
        assert "sum(value)" in navigator.symbol("mangled").text


def test_callers_stay_when_only_the_file_of_the_callee_changes(shop: pathlib.Path) -> None:
    path = shop / "shop/prices.py"
    with Navigator(str(shop)) as navigator:
        before = navigator.callers("shop/prices.py:total").data["callers"]
        path.write_text("# moved down\n\n" + path.read_text())
        after = navigator.callers("shop/prices.py:total").data["callers"]
    assert before == after
    assert {(row["path"], row["caller"], row["confidence"]) for row in after} == {
        ("shop/cart.py", "Cart.pay", "certain"),
        ("shop/front.py", "show", "certain"),
    }


def test_homonyms_are_all_listed(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        answer = navigator.symbol("total")
    assert [row["path"] for row in answer.data["definitions"]] == ["shop/prices.py", "shop/stock.py"]
    assert "ask with path:name" in answer.text


def test_a_call_on_something_from_outside_is_no_call_of_ours(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        assert not navigator.callers("Stock.total").data["callers"]
        assert "json.total" in navigator.callees("Cart.check").data["outside"]


def test_references_are_every_place_in_the_code(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        rows = navigator.references("rounded").data["references"]
    assert [(row["path"], row["line"], row["within"]) for row in rows] == [("shop/prices.py", 6, "total")]


def test_impact_names_the_tests_that_reach_it(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        data = navigator.impact("rounded").data
    assert [row["qualified"] for row in data["tests"]] == ["test_pay"]
    assert {row["qualified"] for row in data["reached"]} == {"total", "Cart.pay", "show"}


def test_context_keeps_to_its_budget_and_names_what_did_not_fit(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        whole, little = navigator.context("Cart.pay", 1000), navigator.context("Cart.pay", 100)
    assert "uses shop/prices.py:4-6" in whole.text and "tested by tests/test_cart.py:5" in whole.text
    assert len("\n".join(little.lines)) <= 400
    assert "did not fit into 100 tokens" in little.text


def test_changed_names_symbols_and_not_comments(shop: pathlib.Path) -> None:
    git(shop, "init")
    git(shop, "add", ".")
    git(shop, "commit", "-m", "x")
    prices, cart = shop / "shop/prices.py", shop / "shop/cart.py"
    prices.write_text(prices.read_text().replace("int(value)", "round(value)"))
    cart.write_text(cart.read_text().replace("self.check()", "self.check()  # first"))
    (shop / "shop/new.py").write_text("def fresh():\n    pass\n")
    with Navigator(str(shop)) as navigator:
        rows = navigator.changed("HEAD").data["changes"]
        assert {(row["kind"], row["qualified"]) for row in rows} == {("changed", "rounded"), ("added", "fresh")}
        assert [row["qualified"] for row in navigator.impact(ref="HEAD").data["tests"]] == ["test_pay"]
        with pytest.raises(InputError, match="is no commit"):
            navigator.changed("--output=x")


@pytest.mark.parametrize("path", ["../secret.py", "/etc/passwd", "link.py", "folder/secret.py", "", "missing.py", "shop", "a\0b"])
def test_paths_that_lead_out_are_refused(shop: pathlib.Path, path: str) -> None:
    (shop.parent / "secret.py").write_text("def secret(): pass\n")
    (shop / "link.py").symlink_to(shop.parent / "secret.py")
    (shop / "folder").symlink_to(shop.parent)
    with Navigator(str(shop)) as navigator:
        with pytest.raises(InputError):
            navigator.outline(path)
        with pytest.raises(InputError):
            navigator.symbol(f"{path or 'x/'}:secret")


def test_search_finds_by_what_it_does(shop: pathlib.Path) -> None:
    with Navigator(str(shop)) as navigator:
        assert navigator.search("add up the rows").data["results"][0]["qualified"] == "total"
        assert "nothing in names" in navigator.search("quaternion").text
        with pytest.raises(InputError):
            navigator.search("?!")


def test_worktrees_have_indexes_of_their_own(shop: pathlib.Path) -> None:
    git(shop, "init")
    git(shop, "add", ".")
    git(shop, "commit", "-m", "x")
    git(shop, "worktree", "add", "../other")
    other = shop.parent / "other"
    (other / "shop/prices.py").write_text("def total():\n    return 'other'\n")
    with Navigator(str(shop)) as one, Navigator(str(other / "shop")) as two:
        assert two.root == str(other)
        assert "'other'" in two.symbol("shop/prices.py:total").text
        assert "'other'" not in one.symbol("shop/prices.py:total").text


def test_ignored_files_and_other_repositories_are_not_read(shop: pathlib.Path) -> None:
    git(shop, "init")
    (shop / ".gitignore").write_text("build/\n")
    (shop / "build").mkdir()
    (shop / "build/made.py").write_text("def made(): pass\n")
    (shop / "inner").mkdir()
    git(shop / "inner", "init")
    (shop / "inner/own.py").write_text("def own(): pass\n")
    git(shop / "inner", "add", ".")
    git(shop / "inner", "commit", "-m", "x")
    with Navigator(str(shop)) as navigator:
        for name in ("made", "own"):
            with pytest.raises(InputError, match="no definition"):
                navigator.symbol(name)
        assert "1 other trees not followed" in navigator.update()


def test_a_path_with_a_full_name_means_that_one_and_overloads_mean_the_one_with_a_body(tree: Tree) -> None:
    root = tree(
        {
            "a.py": "class A:\n    def open(self):\n        return 1\n\n\n@overload\ndef open() -> int: ...\n\n\n"
            "def open(path=None):\n    return path or 2\n"
        }
    )
    with Navigator(str(root)) as navigator:
        assert {row["qualified"] for row in navigator.symbol("a.py:open").data["definitions"]} == {"open"}
        assert "return path or 2" in navigator.context("a.py:open").text
        assert len(navigator.symbol("open").data["definitions"]) == 3


def test_a_name_imported_from_outside_is_not_ours(tree: Tree) -> None:
    root = tree({"a.py": "from json import total\n\n\ndef f():\n    return total(1)\n", "b.py": "def total(x):\n    return x\n"})
    with Navigator(str(root)) as navigator:
        assert navigator.callers("total").data["callers"] == []
        assert navigator.callees("f").data["outside"] == ["total"]
