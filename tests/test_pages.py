"""Every code block of the documents does what its page says."""

from __future__ import annotations

import pathlib

import pytest
from tests.pages import ROOT, Story, blocks, pages


@pytest.mark.slow
@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_blocks_of_a_page_do_what_it_says(page: pathlib.Path, tmp_path: pathlib.Path) -> None:
    story = Story(tmp_path)
    for block in blocks(page):
        story.tell(block)


def test_a_block_that_does_not_do_so_is_noticed(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one; echo two\none\nthree\n```\n\n```sh\nfalse\n```\n")
    wrong, failing = blocks(page)
    story = Story(tmp_path)
    for block in (wrong, failing):
        with pytest.raises(AssertionError):
            story.tell(block)
