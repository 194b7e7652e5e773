"""Every other command of ``token-saver``, for an interpreter that was started without its site packages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def start() -> NoReturn:
    """Find the site packages, run the command line and end with its status."""
    import site
    import sys

    site.main()
    from token_saver.cli import main

    sys.exit(main())
