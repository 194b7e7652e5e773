"""docker build and its relatives: BuildKit in plain and in terminal form, the classic builder, buildah and podman."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text.critical import is_report
from token_saver.text.folders import Rules, sieve
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx
from token_saver.text.templates import template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_PLAIN = rx(r"#(?P<step>\d+) (?P<said>.*)$")
_HEAD = rx(r"\[(?P<stage>[^\]\n]*)\] \S|exporting|importing|resolve image|naming|docker-container|sending|auth\b")
_STATE = rx(r"(?:DONE|CACHED|CANCELED|ERROR)\b")
_TIMED = rx(r"\d+\.\d+ ?")
_CLASSIC = rx(r"(?:Step \d+/\d+ : |STEP \d+(?:/\d+)?: |\[\d+/\d+\] STEP )")
_PROGRESS = Rules(
    {
        r"#\d+ (?:sha256:[0-9a-f]+ |transferring|extracting|resolve |preparing build cache|sending tarball|resolving prov)": (
            "line of transfer"
        ),
        r"#\d+ (?:DONE \d|\[internal\] |\.\.\.$)|#0 building with": "line of a step without failure",
        r" => => ": "line of transfer",
        r" => (?:CACHED |\[internal\] )": "cached or internal step",
        r"\[\+\] (?:Building|Running) [\d.]+s \(\d+/\d+\)(?! FINISHED)": "redraw",
        r" ---> (?:Running in )?[0-9a-f]{12}$| ---> Using cache$|Removing intermediate container |"
        r"--> (?:Using cache )?[0-9a-f]{11,}$": "line of layers",
        r"[0-9a-f]{12}: (?:Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete)": (
            "line of transfer"
        ),
        r"Sending build context to Docker daemon": "line of transfer",
    }
)


class DockerBuildProcessor(Family):
    """Each step, what a failed one printed, the reason, the image; transfers and the output of other steps are counted."""

    name = "docker_build"
    priority = 26
    commands = (
        *("docker build", "docker buildx build", "docker buildx bake", "docker image build", "docker builder build"),
        *("docker compose build", "docker-compose build", "podman build", "nerdctl build", "buildah bud"),
        *("buildah build", "buildctl"),
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if sum(1 for line in lines if _PLAIN.match(line)) * 2 > len(lines):
            return _buildkit(lines)
        if any(_CLASSIC.match(line) for line in lines):
            return _classic(lines, capture.failed)
        return sieve(lines, _PROGRESS)


def _buildkit(lines: Sequence[str]) -> list[Piece]:
    """Steps run side by side: what belongs together is told by the number in front."""
    failed = {found.group("step") for line in lines if (found := _PLAIN.match(line)) and found.group("said").startswith("ERROR")}
    own: dict[str, list[str]] = {}
    pieces: list[Piece | list[str]] = []
    heads: set[str] = set()
    told: set[str] = set()
    for line in lines:
        found = _PLAIN.match(line)
        if found is None:
            pieces.append(_after(line, told))
            continue
        step, said = found.group("step", "said")
        piece = _plain(line, said, heads)
        if piece is not None:
            pieces.append(piece)
            continue
        if step not in own:
            own[step] = []
            pieces.append(own[step] if step in failed else Fold(own[step], "line of a step's output", known=True))
        own[step].append(line)
        if step in failed:
            told.add(template(_TIMED.sub("", said, 1).strip()))
    return [part for piece in pieces for part in (reduce(piece) if isinstance(piece, list) else [piece])]


def _plain(line: str, said: str, heads: set[str]) -> Piece | None:
    """Keep the head of a step and its state; return None for what the step printed."""
    noun = _PROGRESS.noun(line)
    if noun is not None:
        return Fold([line], noun, known=True)
    if said == "CACHED":
        return Fold([line], "cached step", known=True)
    if _STATE.match(said) or said.startswith(("WARN", "writing image", "naming to", "exporting manifest", "pushing")):
        return line
    if _HEAD.match(said):
        again = said in heads
        heads.add(said)
        return Fold([line], "repeated step", known=True, told=True) if again else line
    return None


def _after(line: str, told: set[str]) -> Piece:
    """Behind the steps BuildKit prints the end of the failed one again."""
    bare = template(_TIMED.sub("", line, 1).strip())
    return Fold([line], "repeated line", known=True, told=True) if bare and bare in told else line


def _classic(lines: Sequence[str], failed: bool) -> Iterator[Piece]:
    """Of steps that went through keep the head; the last step is whole when the build failed."""
    steps = [at for at, line in enumerate(lines) if _CLASSIC.match(line)]
    last = steps[-1] if failed else len(lines)
    head = True
    for line in lines[:last]:
        noun = _PROGRESS.noun(line)
        starts = _CLASSIC.match(line) is not None
        if noun is not None:
            yield Fold([line], noun, known=True)
        elif starts or head or line.startswith(("Successfully ", "COMMIT ", "[Warning]", "SECURITY WARNING")) or is_report(line):
            yield line
        else:
            yield Fold([line], "line of a step's output", known=True)
        head = head and not starts
    rest = list(lines[last:])
    yield from reduce(rest)
