"""nix and the nix-* commands."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager
from token_saver.text import Fold, Rules, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_STORE = rx(r"\s+/nix/store/[0-9a-z]{32}-(\S+?)(?:\.drv)?$")
_FETCH = "line of fetching"
PATHS_SHOWN = 5


class NixProcessor(PackageManager):
    """Errors with their trace and the log of the failed builder whole; copying, unpacking and phases are counted."""

    name = "nix"
    commands = (
        *("nix", "nix-build", "nix-shell", "nix-env", "nix-instantiate", "nix-store", "nix-channel", "nix-collect-garbage"),
        *("nixos-rebuild", "home-manager", "darwin-rebuild"),
    )
    noise = Rules(
        {
            r"copying path '/nix/store/|downloading 'https?://|querying info about|\[\d+(?:/\d+)*(?: built| copied)": _FETCH,
            r"warning: error: unable to download .*; retrying in \d+ ms$": "retry",
            r"building '/nix/store/\S+\.drv'": "derivation being built",
            r"(?:unpacking sources?|source root is|patching sources|configuring|updateAutotools\w+)\b": "phase",
            r"(?:no configure script|no Makefile|build flags:|install flags:|installing|post-installation fixup)\b": "phase",
            r"(?:shrinking RPATHs|shrinking /nix|checking for references to|patching script interpreter)\b": "phase",
            r"stripping \(with": "phase",
            r"(?:gzipping man pages|strip is |Running phase: |rewriting symlink)": "phase",
            r"(?:evaluating file|instantiated|deleting '/nix/store)": "line of verbose output",
        }
    )

    def report(self, capture: Capture) -> Iterable[Piece]:
        """Name the packages of a list of store paths, the first with their path."""
        told: list[Piece] = []
        rest: list[str] = []
        count = 0
        for line in capture.lines:
            found = _STORE.match(line)
            count = count + 1 if found else 0
            if found and count > PATHS_SHOWN:
                told.append(Fold([line], "store path", known=True, names=found[1]))
            else:
                rest.append(line)
        return [*self.sifted(rest), *told]
