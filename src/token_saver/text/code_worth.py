"""What a line of a change says to its reader, and what kind of file it stands in."""

from __future__ import annotations

from token_saver.text.rx import rx

_FIRST_WORDS = {
    8: "def class func fn function interface struct enum trait impl type async export public private protected static pub "
    "module namespace abstract override final void template typedef union extern const fun object protocol extension "
    "defmodule defp defmacro sub proc create alter drop message service rpc resource provider variable output",
    7: "raise throw throws panic panic! bail! unreachable! abort die exit fatal",
    6: "return yield assert assert! assert_eq! assert_ne! expect except catch rescue ensure finally "
    "#define #include #if #ifdef FROM RUN CMD ENTRYPOINT",
    5: "if elif else for while with try case match switch import from use using require include package go defer select "
    "let var val unless when loop where",
}
_WORTH = {word: rank for rank, words in _FIRST_WORDS.items() for word in words.split()}
SIGNATURE, STATEMENT, PART, NOTE = 8, 4, 3, 2
TELLING = (6, 7)
"""Ranks of lines whose words matter: two of them that begin alike are not the same line rewritten."""
SIGNATURES = tuple(f"{word} " for word, rank in _WORTH.items() if rank == SIGNATURE)

_KINDS = {
    "generated": "lock svg map snap ipynb lockb csv tsv geojson golden sum min.js min.css pb.go package-lock.json "
    "npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json",
    "prose": "md rst txt adoc mdx html htm po pot tex",
}
_KIND_BY_SUFFIX = {suffix: kind for kind, suffixes in _KINDS.items() for suffix in suffixes.split()}
_NEWS = rx(r"(?:.*/)?(?:CHANGELOG|CHANGES|HISTORY|NEWS)\b")
_TEST = rx(r"(?i)(?:.*/)?(?:tests?|specs?|__tests__|testdata|fixtures|cassettes)/|.*(?:_test|test_|\.test|\.spec)\b")


def kind(name: str) -> str:
    """Return what kind of file *name* is: "generated", "prose", "test", or "" for anything else."""
    base = name.rpartition("/")[2]
    suffix = base.partition(".")[2]
    for ending in (base, suffix, suffix.rpartition(".")[2]):
        if ending in _KIND_BY_SUFFIX and not _NEWS.match(name):
            return _KIND_BY_SUFFIX[ending]
    return "test" if _TEST.match(name) else ""


def worth(body: str) -> int:
    """Return the rank of a line without mark and indentation, which is not empty: from 8, a signature, to 0, nothing."""
    word = body.partition(" ")[0]
    rank = _WORTH.get(word)
    if rank is not None:
        return rank
    if body[0] in "#/*;\"'`<":
        return PART if '": ' in body else NOTE
    if word[-1] in ":;,{(" or "(" in word:
        rank = _WORTH.get(word.partition("(")[0].rstrip(":;{,"))
        if rank is not None:
            return rank
    if len(body) < 4:
        return 0
    last = body[-1]
    if last in ",([{:":
        return SIGNATURE if last == "{" and "(" in body else PART
    return STATEMENT if "(" in body or " = " in body or ": " in body else PART
