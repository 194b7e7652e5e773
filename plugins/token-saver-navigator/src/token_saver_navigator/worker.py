"""The process that parses: paths on stdin, one a line, and for each a length of four bytes and a marshalled ``Parsed``."""

from __future__ import annotations

import marshal
import os
import sys

from token_saver_navigator.languages import language_of
from token_saver_navigator.parsing import FAILED, MOST_BYTES, Parsed, parse
from token_saver_navigator.project import read_file


def parsed_file(root: str, path: str) -> Parsed:
    """Return what a file of the working tree holds; one that cannot be read has failed."""
    language = language_of(path)
    assert language is not None
    data = read_file(root, path, MOST_BYTES + 1)
    if data is None:
        return Parsed(FAILED, "cannot be read", "", 0, "")
    return parse(data, language.name)


def packed(parsed: Parsed) -> bytes:
    """Return *parsed* as bytes, with its length in front."""
    lists = [[tuple(each) for each in rows] for rows in (parsed.symbols, parsed.references, parsed.imports)]
    data = marshal.dumps((*parsed[:5], *lists))
    return len(data).to_bytes(4, "big") + data


def main(root: str) -> None:
    """Answer every path on stdin until it ends."""
    for line in sys.stdin.buffer:
        path = os.fsdecode(line[:-1].replace(b"\0", b"\n"))
        sys.stdout.buffer.write(packed(parsed_file(root, path)))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
