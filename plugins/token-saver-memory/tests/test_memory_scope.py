"""Which project a folder belongs to: git itself is the oracle; worktrees, sub-folders, submodules, removed and moved ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from token_saver_memory.memory import Memory
from token_saver_memory.scope import relative, resolve
from token_saver_memory.values import AGENT, Draft

from conftest import Repository, git
from token_saver.errors import InputError

Make = Callable[[str], Repository]


def common_of(folder: Path) -> str:
    return os.path.realpath(git(folder, "rev-parse", "--path-format=absolute", "--git-common-dir"))


@pytest.fixture
def places(tmp_path: Path, make_repository: Make) -> dict[str, Path]:
    """A repository with everything around it that git knows."""
    main = make_repository("alpha")
    main.commit(src__deep__a_py="A = 1\n")
    library = make_repository("library")
    library.commit(b_py="B = 1\n")
    git(main.path, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.path), "vendor/library")
    git(main.path, "worktree", "add", "-q", str(tmp_path / "feature"))
    git(tmp_path, "clone", "-q", "--bare", str(main.path), "store.git")
    git(tmp_path / "store.git", "worktree", "add", "-q", str(tmp_path / "from_bare"), "main")
    git(tmp_path, "init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere.git"), str(tmp_path / "separate"))
    (tmp_path / "link").symlink_to(main.path / "src")
    return {
        "top": main.path,
        "sub-folder": main.path / "src" / "deep",
        "worktree": tmp_path / "feature",
        "sub-folder of a worktree": tmp_path / "feature" / "src",
        "submodule": main.path / "vendor" / "library",
        "bare": tmp_path / "store.git",
        "worktree of a bare one": tmp_path / "from_bare",
        "git folder elsewhere": tmp_path / "separate",
        "through a link": tmp_path / "link",
    }


def test_agrees_with_git_everywhere(places: dict[str, Path]) -> None:
    found = {name: resolve(str(folder)) for name, folder in places.items()}
    assert {name: place and place.identity for name, place in found.items()} == {
        name: common_of(at) for name, at in places.items()
    }
    for name, place in found.items():
        assert place is not None and place.kind == "git"
        if name != "bare":
            assert place.top == os.path.realpath(git(places[name], "rev-parse", "--show-toplevel"))
    assert found["top"] and found["submodule"] and found["top"].identity != found["submodule"].identity
    assert [found[name].label for name in ("top", "worktree", "bare")] == ["alpha", "alpha", "store"]  # type: ignore[union-attr]


def test_environment_of_a_git_hook_does_not_mislead(
    repository: Repository, make_repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(make_repository("beta").path / ".git"))
    place = resolve(str(repository.path))
    assert place is not None and place.identity == str(repository.path / ".git")


def test_without_git_a_marked_folder_or_the_folder_itself(tmp_path: Path) -> None:
    deep = tmp_path / "plain" / "deep"
    deep.mkdir(parents=True)
    alone = resolve(str(deep))
    assert alone is not None and (alone.kind, alone.identity) == ("dir", str(deep))
    (tmp_path / "plain" / ".token-saver.toml").write_text("")
    marked = resolve(str(deep))
    assert marked is not None and (marked.identity, marked.label) == (str(tmp_path / "plain"), "plain")


def test_home_root_and_temporary_folders_are_nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: Memory) -> None:
    home = tmp_path / "home"
    Repository(home)
    monkeypatch.setenv("HOME", str(home))
    (home / "notes").mkdir()
    for folder in (home, home / "notes", Path("/"), Path("/tmp"), Path("/nowhere/at/all")):
        assert memory.scope(str(folder)) is None, folder
    assert memory.scope("") is None
    with pytest.raises(InputError, match="--global"):
        memory.save(Draft(memory.scope(str(home)), "note", "Saved at home"), actor=AGENT)
    shared = memory.save(Draft(None, "preference", "Answer in English", is_global=True), actor=AGENT)
    assert [row.id for row in memory.index(None)] == [shared.item_id]


def test_rows_outlive_their_worktree(memory: Memory, places: dict[str, Path]) -> None:
    worktree = places["worktree"]
    memory.save(Draft(memory.scope(str(worktree / "src")), "note", "Start the mock server first"), actor=AGENT)
    git(places["top"], "worktree", "remove", "--force", str(worktree))
    found = memory.search(memory.scope(str(places["sub-folder"])), "mock server")
    assert [row.title for row in found] == ["Start the mock server first"]
    gone = memory.scope(str(worktree / "src"))
    assert gone is not None and gone.identity == str(places["top"] / ".git")


def test_one_row_beside_five_hundred_of_another_project(
    memory: Memory, repository: Repository, make_repository: Make, tmp_path: Path
) -> None:
    crowd = memory.scope(str(repository.path))
    for number in range(500):
        memory.save(Draft(crowd, "bugfix", f"Worker {number} lost its lease", symbol="lease", file_path="a.py"), actor=AGENT)
    small = make_repository("beta")
    small.commit(src__a_py="A = 1\n")
    git(small.path, "worktree", "add", "-q", str(tmp_path / "beta2"))
    plain = tmp_path / "plain"
    plain.mkdir()
    mine = memory.save(
        Draft(memory.scope(str(small.path)), "bugfix", "The lease of a worker", symbol="lease", file_path="a.py"), actor=AGENT
    )
    for folder, expected in [
        (small.path, [mine.item_id]),
        (small.path / "src", [mine.item_id]),
        (tmp_path / "beta2", [mine.item_id]),
        (plain, []),
        (Path("/"), []),
    ]:
        scope = memory.scope(str(folder))
        answers = [
            memory.search(scope, "worker lease"),
            memory.index(scope),
            memory.by_symbol(scope, "lease"),
            memory.get(range(1, 502), scope),
            memory.by_path(scope, "a.py"),
        ]
        assert [[row.id for row in rows] for rows in answers] == [expected] * 5, folder


def test_a_global_row_is_seen_everywhere_its_neighbours_are_not(
    memory: Memory, repository: Repository, make_repository: Make
) -> None:
    mine, other = memory.scope(str(repository.path)), memory.scope(str(make_repository("beta").path))
    kept = memory.save(Draft(mine, "convention", "Commit messages in English"), actor=AGENT)
    memory.save(Draft(mine, "convention", "Branches are named after tickets"), actor=AGENT)
    assert memory.index(other) == []
    memory.set_global(kept.item_id, True, actor=AGENT, reason="asked to")
    assert [row.id for row in memory.index(other)] == [kept.item_id]
    assert [row.id for row in memory.search(other, "commit messages")] == [kept.item_id]
    assert memory.index(other, global_too=False) == []
    assert memory.history(kept.item_id)[1][-1].op == "scope"
    with pytest.raises(InputError, match="already"):
        memory.set_global(kept.item_id, True)
    memory.set_global(kept.item_id, False)
    assert memory.index(other) == [] and memory.search(other, "commit messages") == []


def test_no_scope_can_be_empty(memory: Memory) -> None:
    for identity in ("''", "NULL"):
        with pytest.raises(Exception, match="constraint failed"):
            memory.connection.execute(
                f"INSERT INTO project (identity, kind, label, created_at) VALUES ({identity}, 'dir', 'x', 0)"
            )
    nowhere = memory.save(Draft(None, "note", "Known everywhere", is_global=True), actor=AGENT)
    with pytest.raises(InputError, match="belongs to no project"):
        memory.set_global(nowhere.item_id, False)
    with pytest.raises(Exception, match="must be global"):
        memory.connection.execute("UPDATE item SET is_global = 0")


def test_a_copied_folder_is_another_project(memory: Memory, repository: Repository, tmp_path: Path) -> None:
    memory.save(Draft(memory.scope(str(repository.path)), "note", "Only in the first one"), actor=AGENT)
    shutil.copytree(repository.path, tmp_path / "copy" / "alpha")
    assert memory.index(memory.scope(str(tmp_path / "copy" / "alpha"))) == []


def test_paths_are_kept_relative_to_the_top(repository: Repository, tmp_path: Path) -> None:
    top = str(repository.path)
    (tmp_path / "link").symlink_to(repository.path)
    assert relative(f"{top}/src/a.py", top) == "src/a.py"
    assert relative("src/../b.py", top) == "b.py"
    assert relative(f"{tmp_path}/link/src/a.py", top) in ("src/a.py", "")
    assert relative("../other/a.py", top) == "" and relative("/etc/passwd", top) == "" and relative("", top) == ""
