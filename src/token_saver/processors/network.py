"""Clients of the network: transfers, probes and remote shells."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Rules, allowance, paths, rx, sieve
from token_saver.text.documents import document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_PROGRESS = "line of progress"
_CONNECTION = "line of connecting"
_DETAIL = "line of detail"
_REPLY = rx(r"(?:\[\d[\d.]*\] )?\d+ bytes from |Reply from ")
_NAME = rx(r"[^\s:>*%][^:>*%]*$")
_WORDS = rx(r"(?:sending|receiving|building|created|deleting|total|sent|created) ")


class CurlProcessor(Family):
    """Bodies, status lines, headers, errors and totals; progress, handshakes and connecting are counted."""

    name = "curl"
    priority = 44
    commands = ("curl", "wget", "http", "https", "xh", "aria2c", "grpcurl")

    quiet = Rules(
        {
            r" *% Total +% Received|^ {20,}Dload +Upload": _PROGRESS,
            r" {0,3}\d{1,3} +[\d.]+[kMG]? +\d{1,3} +[\d.]+[kMG]? .*[-\d]:[-\d]{2}": _PROGRESS,
            r" *\d+K (?:[ .,]{10,}|\[.*\]).*\d%|\S.{0,60} +\d{1,3}%\[[=> ]*\]": _PROGRESS,
            r"[{}] \[\d+ bytes data\]|\* (?:TLSv|ALPN|  ?(?:start date|expire date|subjectAltName|issuer|subject|CAfile|CApath)|"
            r"  ?Trying |Mark bundle|h2 |Using Stream|Using HTTP2|\[HTTP/2\])": _CONNECTION,
            r"\* (?:Closing connection|Host .* was resolved|IPv[46]: |TCP_NODELAY|Server certificate:)": _CONNECTION,
            r"Resolving .*\.\.\. \S|Connecting to .*\.\.\. connected|HTTP request sent, awaiting response\.\.\.\s*$|"
            r"Reusing existing connection": _CONNECTION,
        }
    )
    errors = Rules(
        {
            r" *% Total +% Received|^ {20,}Dload +Upload": _PROGRESS,
            r" {0,3}\d{1,3} +[\d.]+[kMG]? +\d{1,3} +[\d.]+[kMG]? .*[-\d]:[-\d]{2}[^*]*$": _PROGRESS,
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        pieces = _last_progress(list(sieve(capture.lines, self.errors if capture.failed else self.quiet)))
        kept = [piece for piece in pieces if isinstance(piece, str)]
        if sum(map(len, kept)) + len(kept) <= allowance(len(capture.text)):
            return pieces
        folds = [piece for piece in pieces if not isinstance(piece, str)]
        return [*(document(kept) or reduce(kept)), *folds]


def _last_progress(pieces: Sequence[Piece]) -> list[Piece]:
    """Keep the line with the totals: the last one of each progress."""
    made: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Fold) and piece.noun == _PROGRESS:
            last = piece.lines[-1]
            is_total = last.lstrip()[:1].isdigit()
            folded = piece.lines[:-1] if is_total else piece.lines
            made += [Fold(folded, _PROGRESS, known=True)] if folded else []
            made += [last] if is_total else []
        else:
            made.append(piece)
    return made


class PingProcessor(Family):
    """The first and last reply, everything that is no reply, and the statistics; replies between are counted."""

    name = "ping"
    priority = 44
    commands = ("ping", "ping6", "arping", "fping", "hping3")

    def read(self, capture: Capture) -> Iterable[Piece]:
        replies = [index for index, line in enumerate(capture.lines) if _REPLY.match(line) and "DUP" not in line]
        hidden = set(replies[2:-1]) if len(replies) > 4 else set()
        return [Fold([line], "reply", known=True) if index in hidden else line for index, line in enumerate(capture.lines)]


class DigProcessor(Family):
    """Status, answers, authority and times; the echo of the question and of options is counted."""

    name = "dig"
    priority = 44
    commands = ("dig", "delv", "drill")

    quiet = Rules(
        {
            r"; <<>>|;; global options|;; OPT PSEUDOSECTION|; EDNS:|;; MSG SIZE|; COOKIE|;; Got answer": _DETAIL,
            r";; QUESTION SECTION|;\S+\s+IN\s": _DETAIL,
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return sieve(capture.lines, self.quiet)


class RsyncProcessor(Family):
    """Names of what was sent, errors and totals; progress of each file is counted."""

    name = "rsync"
    priority = 44
    commands = ("rsync", "scp", "sftp", "rclone")

    quiet = Rules(
        {
            r" +[\d,.]+[KMGT]? +\d{1,3}% +\S+/s +\d+:\d\d:\d\d": _PROGRESS,
            r"\S.* +\d{1,3}% +[\d.]+[KMG]?B? +[\d.]+[KMG]?B/s ": "line of progress of a file",
            r"(?:\[?(?:sender|receiver|generator|Receiver|client|server)\]? )?(?:make_file|pushing local filters|"
            r"recv_file_name|send_file_list|recv_file_list|received \d+ names|generate_files|recv_files\(|recv_generator|"
            r"send_files\(|set modtime|calling match_sums|sending file_sum|hash search|gen |false_alarms|"
            r"match at|built hash|count=\d+ n=|got file_sum)": _DETAIL,
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        pieces = list(sieve(capture.lines, self.quiet))
        kept = [piece for piece in pieces if isinstance(piece, str)]
        folds = [piece for piece in pieces if not isinstance(piece, str)]
        return [*_listed(kept), *_one_of_each(folds)]


def _one_of_each(folds: Sequence[Piece]) -> Iterable[Piece]:
    """Progress stands behind each name: one count for all of it says as much as one a name."""
    lines: dict[str, list[str]] = {}
    for piece in folds:
        if isinstance(piece, Fold):
            lines.setdefault(piece.noun, []).extend(piece.lines)
    return [Fold(own, noun, known=True) for noun, own in lines.items()]


def _listed(lines: Sequence[str]) -> Iterable[Piece]:
    """Tell runs of names by folder, all other lines as they are; what is neither is reduced."""
    if sum(map(len, lines)) + len(lines) <= 2000:
        return lines
    pieces: list[Piece] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _NAME.match(lines[end]) and not _WORDS.match(lines[end]):
            end += 1
        pieces += paths.listing(lines[at:end]) if end - at > 8 else lines[at:end]
        pieces += lines[end : end + 1]
        at = end + 1
    kept = [piece for piece in pieces if isinstance(piece, str)]
    size = sum(map(len, lines))
    return pieces if sum(map(len, kept)) <= allowance(size) else reduce(lines)


class SshProcessor(Family):
    """What the remote command printed, refusals and keys that were tried; other lines of debugging are counted."""

    name = "ssh"
    priority = 44
    commands = ("ssh", "ssh-keygen", "ssh-add", "ssh-copy-id", "ssh-keyscan", "mosh")

    quiet = Rules(
        {
            r"debug[123]: (?!.*(?i:denied|refused|fail|error|timed out|Authentications that can continue|Connecting to|"
            r"Offering public key|Next authentication|Authenticated|Server accepts|No more|no such|bad |expired|mismatch))": (
                "line of debugging"
            ),
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        pieces = list(sieve(capture.lines, self.quiet))
        kept = [piece for piece in pieces if isinstance(piece, str)]
        return pieces if sum(map(len, kept)) <= allowance(len(capture.text)) else reduce(capture.lines)
