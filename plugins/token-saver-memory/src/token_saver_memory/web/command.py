"""``token-saver memory web``: look through what is remembered, in a browser on this machine."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Serve a page on the loopback interface on which what is remembered of this project can be confirmed, disputed, edited and
forgotten. The printed address holds a token that is good for this run alone. Ends with Ctrl-C."""


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = group.add_parser("web", help="review it in a browser on this machine", description=_DESCRIPTION)
    made.add_argument("--port", type=int, default=0, metavar="N", help="the port (default: a free one)")
    made.set_defaults(command=_serve)


def _serve(options: argparse.Namespace) -> int:
    from token_saver.errors import InputError
    from token_saver_memory.web.review import Review
    from token_saver_memory.web.server import Server

    review = Review(os.getcwd())
    review.shown("", "", "")
    try:
        server = Server(review, options.port)
    except OSError as error:
        raise InputError(f"port {options.port} cannot be used: {error.strerror}; leave out --port for a free one") from error
    with server:
        print(server.address, flush=True)
        print("token-saver: the review page is up; Ctrl-C ends it", file=sys.stderr)
        server.serve_forever()
    return 0
