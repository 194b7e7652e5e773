"""Documents in YAML and XML, told as such when a command printed one."""

from __future__ import annotations

from token_saver.text.xml_elements import read_xml
from token_saver.text.yaml_items import read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.processor import Capture
    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

_OPTIONS = ("-o", "--output", "--format", "-f")
_OTHER_FORMATS = frozenset({"json", "j", "props", "csv", "tsv", "xml", "--tojson", "-j", "-o=json", "-ojson", "-oj"})
_COMPOSERS = ("docker", "docker-compose", "podman")


def markup(capture: Capture) -> list[Piece] | None:
    """Return the pieces of the document that *capture* is; None when it is none for certain."""
    if capture.text[:1] == "<":
        return read_xml(capture.lines)
    return None if capture.exit_code or not _prints_yaml(capture.command) else read_yaml(capture.lines)


def _prints_yaml(command: CommandLine) -> bool:
    """Tell whether the words of *command* ask for YAML, or it prints nothing else."""
    words = command.replace("=", " ").split()
    if command.program == "yq":
        return _OTHER_FORMATS.isdisjoint(command.split()) and _OTHER_FORMATS.isdisjoint(words)
    if command.program in _COMPOSERS and command.operands[-1:] == ("config",):
        return True
    asked = any(word == "yaml" and words[index] in _OPTIONS for index, word in enumerate(words[1:]))
    return asked or "-oyaml" in words
