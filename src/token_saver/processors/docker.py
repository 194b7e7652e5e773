"""Docker, Podman and Compose."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.tables import read_tables
from token_saver.text import Fold, Rules, sieve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class DockerProcessor(Family):
    """Tables by exceptional rows and names, documents as such, digests and errors; steps of layers are counted."""

    name = "docker"
    priority = 35
    commands = ("docker", "podman", "nerdctl", "docker-compose", "podman-compose", "buildah", "crictl")

    quiet = Rules(
        {
            r"[0-9a-f]{12}: (?:Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|"
            r"Pull complete|Preparing|Pushing|Pushed|Layer already exists|Mounted from|Already exists)": "step of a layer",
            r" ?(?:[\u2800-\u28ff✔⠿] )?(?:Copying blob|Copying config|[0-9a-f]{12}) "
            r".*(?:done|skipped|Download|Pull|Extract|Waiting|MB|kB)": "step of a layer",
            r"Writing manifest to image destination|Storing signatures|Getting image source signatures": "line of copying",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        pieces = list(sieve(capture.lines, self.quiet))
        return pieces if any(isinstance(piece, Fold) for piece in pieces) else read_tables(capture.lines)
