"""git: states, histories, differences, and what it says when something is in the way."""

from __future__ import annotations

from functools import partial

from scripts.recording.harbor import conflict, diverge, harbor, shared
from scripts.recording.project import Project
from scripts.recording.recipe import Recipe

_git = partial(Recipe, "git")


def _mixed(project: Project) -> None:
    harbor(project)
    project.shell("git mv docs/setup.md docs/checkout.md && git rm -q src/harbor/winter.py")
    project.edit("src/harbor/fares.py", "CAR_SURCHARGE = 120", "CAR_SURCHARGE = 130")
    project.write({"src/harbor/ports.py": "PORTS = ('Ostervik', 'Lunden', 'Skarholm')\n"})
    project.shell("git add src")
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 43")
    project.edit("README.md", "# Harbor", "# Harbor ferries")
    project.write({"notes.txt": "ask Priya about ports\n", "scratch/plan.md": "tbd\n", "fares of 2023.csv": "a,b\n"})


def _conflict_merged(project: Project) -> None:
    conflict(project)
    project.shell("git merge -q summer-fares || true")


def _conflict_rebase(project: Project) -> None:
    conflict(project)
    project.shell("git checkout -q summer-fares && git rebase -q main || true")


def _detached(project: Project) -> None:
    harbor(project)
    project.shell("git checkout -q v1.0")


def _many_untracked(project: Project) -> None:
    harbor(project)
    months = [f"{year}-{month:02}" for year in range(2015, 2024) for month in range(1, 13)]
    project.write({f"export/{year}/timetable-{year}.csv": "a\n" for year in months})


def _ignored(project: Project) -> None:
    harbor(project)
    project.write({".gitignore": "*.log\nbuild/\n", "ferry.log": "x", "build/a.o": "x"})


def _timetable_data(offset: int) -> str:
    """Two routes, four ferries a day, four weeks; *offset* moves the minute of every seventh day."""
    rows = [
        f'    {{"from": "{start}", "to": "{end}", "day": {day}, "leaves": "{hour:02}:{minute:02}"}},'
        for day in range(1, 29)
        for minute in [(day * 7 + (0 if day % 7 else offset)) % 60]
        for hour in (6, 9, 13, 18)
        for start, end in (("Ostervik", "Lunden"), ("Lunden", "Skarholm"))
    ]
    return "DEPARTURES = [\n" + "\n".join(rows) + "\n]\n"


def _large_change(project: Project) -> None:
    harbor(project)
    project.write({"src/harbor/departures.py": _timetable_data(0), "web/app.min.js": "var a=0;" * 900 + "\n"})
    project.commit("Add the departures", "2024-02-08T10:00:00+01:00")
    project.write({"src/harbor/departures.py": _timetable_data(5), "web/app.min.js": "var a=1;" + "var a=0;" * 899 + "\n"})
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 45")


def _long_history(project: Project) -> None:
    harbor(project)
    for day in range(1, 28):
        project.write({f"data/day-{day:02}.txt": f"crossings {day * 3}\n", "data/total.txt": f"{day * 37}\n"})
        author = ("Mara Lindqvist", "Jonas Feld", "Priya Raman")[day % 3]
        project.commit(f"Record the crossings of {day} February", f"2024-02-{day:02}T20:00:00+01:00", author)


def _binary_and_mode(project: Project) -> None:
    harbor(project)
    (project.root / "logo.png").write_bytes(bytes(range(256)) * 4)
    project.write({"run.sh": "#!/bin/sh\nexec python -m harbor\n"})
    project.commit("Add a logo and a starter", "2024-02-08T10:00:00+01:00")
    (project.root / "logo.png").write_bytes(bytes(range(255, -1, -1)) * 5)
    project.shell("chmod +x run.sh && git mv README.md READ-ME.md && printf 'no newline' >> CHANGELOG.md && git add -A")


def _branches(project: Project) -> None:
    diverge(project)
    project.shell("git fetch -q && git branch port-names v1.0 && git checkout -q -b gone && git push -q -u origin gone", "mara")
    project.shell("git checkout -q main && git push -q origin --delete gone && git fetch -q --prune", "mara")


def _behind(project: Project) -> None:
    shared(project)
    project.edit("jonas/src/harbor/fares.py", "CAR_SURCHARGE = 120", "CAR_SURCHARGE = 150")
    project.write({"jonas/src/harbor/ports.py": "PORTS = ('Ostervik', 'Lunden', 'Skarholm')\n"})
    project.commit("Raise the car surcharge", "2024-02-05T10:00:00+01:00", "Jonas Feld", "jonas")
    project.shell("git push -q origin main && git push -q origin main:ports && git tag v1.1 && git push -q --tags", "jonas")


def _ahead(project: Project) -> None:
    shared(project)
    project.edit("mara/src/harbor/fares.py", "CAR_SURCHARGE = 120", "CAR_SURCHARGE = 125")
    project.commit("Adjust the car surcharge", "2024-02-05T11:00:00+01:00", folder="mara")


def _hooked(project: Project) -> None:
    _ahead(project)
    project.write({"team.git/hooks/pre-receive": "#!/bin/sh\necho 'policy: a commit needs a ticket (HBR-123)'\nexit 1\n"})
    project.shell("chmod +x team.git/hooks/pre-receive")


def _stashes(project: Project) -> None:
    harbor(project)
    for fare, words in ((43, "try 43"), (44, "try 44")):
        project.edit("src/harbor/fares.py", "BASE_FARE = 42", f"BASE_FARE = {fare}")
        project.shell(f"git stash push -q -m '{words}'")
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 45")
    project.commit("Raise the base fare to 45", "2024-02-07T10:00:00+01:00")


def _worktrees(project: Project) -> None:
    harbor(project, "main")
    project.shell("git worktree add -q ../hotfix -b hotfix v1.0 && git worktree add -q --detach ../try HEAD~2", "main")


def _overwritten(project: Project) -> None:
    conflict(project)
    project.edit("src/harbor/fares.py", "BASE_FARE = 44", "BASE_FARE = 99")


def _unreadable_commit(project: Project) -> None:
    harbor(project)
    project.write({".git/hooks/pre-commit": "#!/bin/sh\necho 'src/harbor/fares.py:4:1: E999 fares are frozen'\nexit 1\n"})
    project.shell("chmod +x .git/hooks/pre-commit")
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 43")


def _edited(project: Project) -> None:
    harbor(project)
    project.edit("src/harbor/fares.py", "BASE_FARE = 42", "BASE_FARE = 43")
    project.edit("src/harbor/timetable.py", "when a ferry that", "at what time a ferry that")


def _trailing_blanks(project: Project) -> None:
    harbor(project)
    project.edit("src/harbor/fares.py", "CAR_SURCHARGE = 120", "CAR_SURCHARGE = 121  ")


_MIXED = (
    "docs/setup.md",
    "docs/checkout.md",
    "src/harbor/fares.py",
    "src/harbor/ports.py",
    "src/harbor/winter.py",
    "README.md",
    "notes.txt",
    "scratch/",
    "fares of 2023.csv",
)
_FARES_CONFLICT = "CONFLICT (content): Merge conflict in src/harbor/fares.py"
_SETUP_CONFLICT = "CONFLICT (modify/delete): docs/setup.md deleted in"

RECIPES = (
    _git("status-clean", "git status", ("On branch main", "nothing to commit, working tree clean"), harbor),
    _git("status-mixed", "git status", ("On branch main", *_MIXED), _mixed),
    _git("status-short-mixed", "git status --short --branch", ("## main", *_MIXED, "MM src/harbor/fares.py"), _mixed),
    _git("status-porcelain-v1", "git status --porcelain", (*_MIXED, "MM src/harbor/fares.py"), _mixed),
    _git("status-porcelain-v2", "git status --porcelain=v2 --branch", ("# branch.head main", *_MIXED), _mixed),
    _git(
        "status-many-untracked",
        "git status -uall",
        ("On branch main", "export/2015-01/timetable-2015-01.csv"),
        _many_untracked,
        notes="108 untracked files",
    ),
    _git(
        "status-conflict",
        "git status",
        ("You have unmerged paths.", "both modified:   src/harbor/fares.py", "deleted by them: docs/setup.md"),
        _conflict_merged,
    ),
    _git(
        "status-rebase-stopped",
        "git status",
        (
            "interactive rebase in progress",
            "src/harbor/fares.py",
            "docs/setup.md",
            "You are currently rebasing branch 'summer-fares'",
        ),
        _conflict_rebase,
    ),
    _git("status-short-conflict", "git status -s", ("UU src/harbor/fares.py", "UD docs/setup.md"), _conflict_merged),
    _git("status-detached", "git status", ("HEAD detached at v1.0", "working tree clean"), _detached),
    _git("status-diverged", "git -C mara status", ("have diverged", "1 and 1 different commits each"), _branches),
    _git("status-ignored", "git status --ignored", (".gitignore", "ferry.log", "build/"), _ignored),
    _git("status-colour", "git -c color.status=always status", _MIXED, _mixed, terminal=True, notes="colours, line ends CRLF"),
    _git(
        "not-a-repository", "git status", ("fatal: not a git repository (or any of the parent directories): .git",), exit_code=128
    ),
    _git(
        "diff-worktree",
        "git diff",
        ("src/harbor/fares.py", "-BASE_FARE = 42", "+BASE_FARE = 43", "src/harbor/timetable.py", "at what time a ferry that"),
        _edited,
    ),
    _git("diff-empty", "git diff", (), harbor, notes="no difference, no output"),
    _git("diff-stat", "git diff --stat v1.0~2 v1.0", ("README.md", "src/harbor/winter.py"), harbor),
    _git("diff-name-status", "git diff --name-status v1.0~3 v1.0", ("A\tCHANGELOG.md", "M\tsrc/harbor/fares.py"), harbor),
    _git(
        "diff-large",
        "git diff",
        (
            "diff --git a/src/harbor/departures.py b/src/harbor/departures.py",
            "-BASE_FARE = 42",
            "+BASE_FARE = 45",
            "web/app.min.js",
        ),
        _large_change,
        notes="many hunks of data and a minified line",
    ),
    _git(
        "diff-colour",
        "git diff --color=always",
        ("BASE_FARE = 42", "BASE_FARE = 43", "src/harbor/fares.py"),
        _edited,
        terminal=True,
        notes="colours, line ends CRLF",
    ),
    _git(
        "diff-conflict",
        "git diff",
        ("diff --cc src/harbor/fares.py", "BASE_FARE = 44", "BASE_FARE = 50", "docs/setup.md"),
        _conflict_merged,
    ),
    _git(
        "diff-binary-mode-rename",
        "git diff --cached",
        (
            "Binary files a/logo.png and b/logo.png differ",
            "old mode 100644",
            "new mode 100755",
            "rename from README.md",
            "rename to READ-ME.md",
            "\\ No newline at end of file",
        ),
        _binary_and_mode,
    ),
    _git(
        "diff-check",
        "git diff --check",
        ("src/harbor/fares.py:4: trailing whitespace.",),
        _trailing_blanks,
        exit_code=2,
    ),
    _git("show-commit", "git show HEAD~3", ("Add the command line", "src/harbor/__main__.py", "import sys"), harbor),
    _git("show-merge", "git show v1.0", ("Merge branch 'winter-timetable'", "Merge: "), harbor),
    _git("show-stat", "git show --stat HEAD~2", ("Raise the base fare to 42", "CHANGELOG.md", "3 files changed"), harbor),
    _git("show-file", "git show HEAD:src/harbor/fares.py", ("BASE_FARE = 42", "more children than passengers"), harbor),
    _git(
        "log",
        "git log",
        (
            "Start the timetable",
            "Let children travel free",
            "Merge branch 'winter-timetable'",
            "Correct the crossing from Lunden to Skarholm (#12)",
        ),
        harbor,
    ),
    _git("log-long", "git log", ("Record the crossings of 27 February", "Start the timetable", "Priya Raman"), _long_history),
    _git(
        "log-oneline-graph",
        "git log --oneline --graph --all --decorate",
        ("HEAD -> main", "tag: v1.0", "winter-timetable", "Start the timetable"),
        harbor,
    ),
    _git("log-stat", "git log --stat", ("src/harbor/winter.py", "Raise the base fare to 42", "3 files changed"), harbor),
    _git("log-patch", "git log -p", ("Let children travel free", "more children than passengers", "+BASE_FARE = 42"), harbor),
    _git("log-format", "git log --format='%h %an %s' -5", ("Mara Lindqvist Note the winter timetable in the changes",), harbor),
    _git(
        "log-unknown-revision",
        "git log --oneline release/2.0",
        ("fatal: ambiguous argument 'release/2.0': unknown revision or path not in the working tree.",),
        harbor,
        exit_code=128,
    ),
    _git("shortlog", "git shortlog -sn HEAD", ("Mara Lindqvist", "Jonas Feld", "Priya Raman"), harbor),
    _git(
        "branch-vv",
        "git -C mara branch -avv",
        ("* main", "[origin/main: ahead 1, behind 1]", "[origin/gone: gone]", "port-names"),
        _branches,
    ),
    _git(
        "merge-conflict",
        "git merge summer-fares",
        (_FARES_CONFLICT, _SETUP_CONFLICT, "Automatic merge failed; fix conflicts and then commit the result."),
        conflict,
        exit_code=1,
    ),
    _git(
        "merge-fast-forward", "git checkout -q v1.0 && git merge main", ("Fast-forward", "CHANGELOG.md", "1 file changed"), harbor
    ),
    _git("merge-nothing", "git merge v1.0", ("Already up to date.",), harbor),
    _git(
        "merge-overwrites",
        "git merge summer-fares",
        ("error: Your local changes to the following files would be overwritten by merge:", "src/harbor/fares.py", "Aborting"),
        _overwritten,
        exit_code=2,
    ),
    _git(
        "rebase-conflict",
        "git checkout -q summer-fares && git rebase main",
        (_FARES_CONFLICT, _SETUP_CONFLICT, "error: could not apply", "Summer fares"),
        conflict,
        exit_code=1,
        notes="carriage returns in the progress line",
    ),
    _git(
        "rebase-ok",
        "git checkout -q winter-timetable && git rebase --force-rebase v1.0~2",
        ("Successfully rebased and updated refs/heads/winter-timetable.",),
        harbor,
    ),
    _git(
        "cherry-pick-conflict",
        "git cherry-pick summer-fares",
        (_FARES_CONFLICT, "error: could not apply", "Summer fares"),
        conflict,
        exit_code=1,
    ),
    _git("push-ok", "git -C mara push", ("main -> main", "To ../team.git"), _ahead),
    _git("push-nothing", "git -C mara push", ("Everything up-to-date",), shared),
    _git("push-new-branch", "git -C mara push -u origin HEAD:port-names", ("[new branch]", "HEAD -> port-names"), _ahead),
    _git(
        "push-rejected",
        "git -C mara push origin main",
        ("! [rejected]", "main -> main (fetch first)", "error: failed to push some refs"),
        diverge,
        exit_code=1,
    ),
    _git(
        "push-hook-declined",
        "git -C mara push",
        ("policy: a commit needs a ticket (HBR-123)", "! [remote rejected] main -> main (pre-receive hook declined)"),
        _hooked,
        exit_code=1,
    ),
    _git("pull-fast-forward", "git -C mara pull", ("Fast-forward", "src/harbor/ports.py", "2 files changed"), _behind),
    _git(
        "pull-diverged",
        "git -C mara pull",
        ("fatal: Need to specify how to reconcile divergent branches.",),
        diverge,
        exit_code=128,
    ),
    _git(
        "fetch", "git -C mara fetch --all --tags", ("main       -> origin/main", "[new branch]", "origin/ports", "v1.1"), _behind
    ),
    _git("clone", "git clone team.git copy", ("Cloning into 'copy'...", "done."), shared),
    _git(
        "clone-progress",
        "git clone --no-local team.git copy",
        ("Cloning into 'copy'...", "Receiving objects: 100%"),
        shared,
        terminal=True,
        notes="progress that overwrites itself",
    ),
    _git("clone-missing", "git clone ../missing.git", ("fatal: repository '../missing.git' does not exist",), exit_code=128),
    _git("commit-ok", "git commit -am 'Raise the base fare to 43'", ("Raise the base fare to 43", "2 files changed"), _edited),
    _git(
        "commit-hook-fails",
        "git commit -am 'Raise the base fare'",
        ("src/harbor/fares.py:4:1: E999 fares are frozen",),
        _unreadable_commit,
        exit_code=1,
    ),
    _git(
        "checkout-unknown",
        "git checkout src/harbor/boats.py",
        ("error: pathspec 'src/harbor/boats.py' did not match any file(s) known to git",),
        harbor,
        exit_code=1,
    ),
    _git("stash-list", "git stash list", ("stash@{0}: On main: try 44", "stash@{1}: On main: try 43"), _stashes),
    _git(
        "stash-pop-conflict",
        "git stash pop",
        (_FARES_CONFLICT, "The stash entry is kept in case you need it again."),
        _stashes,
        exit_code=1,
    ),
    _git("blame", "git blame src/harbor/fares.py", ("Priya Raman", "Jonas Feld", "more children than passengers"), harbor),
    _git("worktree-list", "git -C main worktree list", ("/home/dev/project/hotfix", "[hotfix]", "(detached HEAD)"), _worktrees),
    _git("reflog", "git reflog", ("HEAD@{0}", "merge winter-timetable", "Start the timetable"), harbor),
    _git("tag-list", "git tag -n1", ("v1.0",), harbor),
    _git("remote", "git -C mara remote -v", ("origin\t../team.git (fetch)",), shared),
    _git(
        "rebase-continue-unresolved",
        "git rebase --continue",
        ("src/harbor/fares.py: needs merge",),
        _conflict_rebase,
        exit_code=1,
    ),
    _git(
        "push-rejected-french",
        "git -C mara push origin main",
        ("! [rejected]", "main -> main (fetch first)"),
        diverge,
        exit_code=1,
        locale="fr_FR.UTF-8",
    ),
    _git("status-french", "git status", ("Sur la branche main", *_MIXED), _mixed, locale="fr_FR.UTF-8"),
)
