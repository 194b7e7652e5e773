"""``token-saver init`` and ``token-saver uninit``: connect the hosts, and take everything out again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.hosts.install import Change
    from token_saver.hosts.layout import Host

_INIT = """\
Connect Token-Saver to the coding agents that are installed, or to those that are named. Settings files keep their order,
their comments and their formatting; what was there before is kept and `token-saver uninit` brings it back to the byte."""
_RETENTION = ("recall_enabled", "delta_enabled")
_QUESTION = """\
May masked outputs be kept on this machine for a day? An agent can then bring back what was left out of a result, and is shown
what changed since the last run of a check. `token-saver recall clear` and `token-saver delta clear` delete them. [y/N] """
_UNINIT = "Take out of the settings of the hosts exactly what `token-saver init` put in."


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add both commands."""
    from token_saver.hosts import layout

    made = commands.add_parser("init", help="connect Token-Saver to your coding agents", description=_INIT)
    made.add_argument("hosts", nargs="*", metavar="HOST", help=f"{', '.join(layout.BY_NAME)} (default: those found)")
    made.add_argument("--mode", help="how to connect (claude: prefix, post, wrap, hybrid; antigravity: native, after-tool)")
    made.add_argument(
        "--keep-outputs",
        choices=("yes", "no"),
        help="keep masked outputs for a while, for `recall` and differences between runs (default: ask on a terminal, else no)",
    )
    how = made.add_mutually_exclusive_group()
    how.add_argument("--show", action="store_true", help="say what is installed where, change nothing")
    how.add_argument("--dry-run", action="store_true", help="print the changes, make none")
    made.set_defaults(command=_init)
    made = commands.add_parser("uninit", help="take Token-Saver out of your coding agents", description=_UNINIT)
    made.add_argument("hosts", nargs="*", metavar="HOST", help="default: all that are connected")
    made.add_argument("--dry-run", action="store_true", help="print the changes, make none")
    made.add_argument(
        "--purge", action="store_true", help="delete everything that was kept too: statistics, outputs, memories, caches"
    )
    made.set_defaults(command=_uninit)


def _init(options: argparse.Namespace) -> int:
    if options.show:
        return _show()
    from token_saver.hosts import install, layout

    hosts = _chosen(options.hosts) or [host for host in layout.HOSTS if layout.is_present(host)]
    if not hosts:
        output.note(f"no coding agent was found; name one: token-saver init {'|'.join(layout.BY_NAME)}")
        return 1
    _decide_retention(options)
    listeners = _compiled(written=not options.dry_run)
    targets = []
    for host in hosts:
        mode = _mode(host, options.mode)
        targets += [target for target in layout.targets(host, mode, listeners) if target not in targets]
        output.write(f"{host.title}: {mode} mode\n")
    changes = install.planned(targets)
    return _carry_out(changes, dry_run=options.dry_run)


def _decide_retention(options: argparse.Namespace) -> None:
    """Set whether outputs are kept, as it was asked for or answered; without a terminal and an option nothing is set."""
    from token_saver import settings, settings_edit

    choice = options.keep_outputs
    asked = settings.load_user().provenance(_RETENTION[0]).layer == "default"
    if choice is None and asked and not options.dry_run:
        choice = _answered(_QUESTION)
    if choice is None:
        return
    value = choice == "yes"
    if options.dry_run:
        output.write(f"  {settings.user_file()}: {', '.join(_RETENTION)} would become {str(value).lower()}\n")
        return
    path = settings_edit.switch(dict.fromkeys(_RETENTION, value))
    output.write(f"  {path}: outputs are {'kept, masked, for a day' if value else 'not kept'}\n")


def _answered(question: str) -> str | None:
    """Ask on a terminal; None where there is none or no answer comes. Anything but a yes is a no."""
    import sys

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        return "yes" if input(question).strip().lower() in ("y", "yes") else "no"
    except EOFError:
        return None


def _uninit(options: argparse.Namespace) -> int:
    from token_saver.hosts import install, layout

    hosts = [host.name for host in _chosen(options.hosts) or layout.HOSTS]
    changes = install.planned_removal(hosts)
    if options.purge and options.hosts:
        raise InputError("--purge deletes what all hosts share; name no host with it")
    if not changes:
        output.write("nothing is installed\n")
    status = _carry_out(changes, dry_run=options.dry_run)
    if options.purge:
        _purge(dry_run=options.dry_run)
    return status


def _purge(*, dry_run: bool) -> None:
    import os

    from token_saver import settings
    from token_saver.hosts import purge

    for folder in purge.kept() if dry_run else purge.purge():
        output.write(f"  {folder}: {'would be deleted' if dry_run else 'deleted'}\n")
    if os.path.exists(settings.user_file()):
        output.write(f"  {settings.user_file()}: your settings stay\n")


def _chosen(names: list[str]) -> list[Host]:
    from token_saver.hosts import layout

    unknown = [name for name in names if name not in layout.BY_NAME]
    if unknown:
        raise InputError(f"{unknown[0]} is no host that is known; those are {', '.join(layout.BY_NAME)}")
    return [layout.BY_NAME[name] for name in dict.fromkeys(names)]


def _mode(host: Host, wanted: str | None) -> str:
    """Return the mode that was asked for, else the best one that leaves what the user has in place."""
    if wanted is not None:
        return wanted
    if host.modes[0] == "prefix" and _has_a_prefix_of_its_own():
        output.note("the settings of Claude Code name a shell prefix already, which stays; hybrid mode works beside it")
        return "hybrid"
    return host.modes[0]


def _has_a_prefix_of_its_own() -> bool:
    import os

    from token_saver.hosts import json_edit, layout

    found: object = os.environ.get(layout.PREFIX_VARIABLE)
    try:
        with open(layout.settings_path("claude"), encoding="utf-8") as file:
            node = json_edit.find(json_edit.read(file.read()), ("env", layout.PREFIX_VARIABLE))
        found = found if node is None else node.value
    except (OSError, ValueError):
        pass
    return found not in (None, "", layout.launcher_path("shell-prefix"))


def _compiled(*, written: bool) -> list[str]:
    """Make the snapshot now, so that the first command of a session does not wait for it; return who listens to events."""
    import os

    from token_saver.errors import SnapshotError
    from token_saver.plugins import compile_snapshot, write_snapshot

    try:
        made = write_snapshot(os.environb) if written else compile_snapshot(os.environb)[0]
    except SnapshotError as error:
        output.note(str(error))
        return []
    return made.content["listeners"]


def _carry_out(changes: list[Change], *, dry_run: bool) -> int:
    from token_saver.hosts import install

    if not dry_run:
        install.apply(changes)
    for change in changes:
        if dry_run and change.is_needed:
            output.write(_difference(change))
        else:
            output.write(f"  {change.target.path}: {_told(change)}\n")
    return 0


def _told(change: Change) -> str:
    if not change.is_needed:
        return "already as it should be"
    if change.before is None:
        return "made"
    return "removed" if change.after is None else "restored" if change.removes else "changed"


def _difference(change: Change) -> str:
    import difflib

    before, after = ((data or b"").decode("utf-8", "replace").splitlines(keepends=True) for data in (change.before, change.after))
    old, new = ("/dev/null" if data is None else change.target.path for data in (change.before, change.after))
    lines = difflib.unified_diff(before, after, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _show() -> int:
    from token_saver.hosts import install, layout

    found = install.records()
    for host in layout.HOSTS:
        ours = [record for record in found if record["host"] == host.name]
        state = "connected" if ours else "found, not connected" if layout.is_present(host) else "not found"
        output.write(f"{host.title}: {state}\n")
        for record in ours:
            output.write(f"  {record['path']}\n")
            for entry in record["entries"]:
                output.write(f"    {'.'.join(entry['path'])}\n")
    return 0
