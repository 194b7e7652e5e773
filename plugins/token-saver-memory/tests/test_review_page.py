"""The review page: its server by plain requests, and the page itself in a browser without a screen."""

from __future__ import annotations

import http.client
import pathlib
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from memory_bench import Bench
from token_saver_memory.values import AGENT
from token_saver_memory.web.review import Review
from token_saver_memory.web.server import COOKIE, Server

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")


class Visitor:
    """Somebody who opened the printed address."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.server = Server(Review(str(bench.repo), str(bench.data / "memory.db")))
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        self.cookie = f"{COOKIE}={self.server.token}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=10)
        sent = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded", **headers}
        connection.request(method, path, urlencode(fields or {}) if method == "POST" else None, sent)
        return connection.getresponse()

    def page(self, path: str = "/") -> str:
        return self.ask("GET", path).read().decode()

    def post(self, action: str, **fields: str) -> str:
        answer = self.ask("POST", f"/{action}", {"token": self.server.token, **fields})
        assert answer.status == 303, answer.status
        return self.page()


@pytest.fixture
def visitor(tmp_path: pathlib.Path) -> Iterator[Visitor]:
    made = Visitor(Bench(tmp_path))
    yield made
    made.close()


def test_what_is_listed_can_be_confirmed_disputed_edited_and_forgotten(visitor: Visitor) -> None:
    number = str(visitor.bench.save("config", "Port of payments", body="listens on <8940>", why="it's old"))
    assert "listens on &lt;8940&gt;" in visitor.page() and "it&#x27;s old" in visitor.page()
    assert f"#{number} is confirmed" in visitor.post("confirm", id=number)
    assert "confirmed" in visitor.page()
    edited = visitor.post("edit", id=number, title="Port of payments", body="listens on 8941")
    assert "8941" in edited and "8940" not in edited
    current = re.findall(r'id="item-(\d+)"', edited)
    assert len(current) == 1 and current[0] != number
    assert "Waiting for a decision" in visitor.post("dispute", id=current[0])
    assert "Waiting" not in visitor.post("confirm", id=current[0])
    assert "Nothing is remembered" in visitor.post("forget", id=current[0])
    log = visitor.bench.rows("SELECT DISTINCT actor FROM mutation WHERE op IN ('review', 'forget', 'supersede')")
    assert log == [("user",)]


def test_an_edit_replaces_even_where_the_title_changes(visitor: Visitor) -> None:
    number = str(visitor.bench.save("bugfix", "the parser hung on tabs", body="fixed by a limit"))
    shown = visitor.post("edit", id=number, title="the lexer hung on tabs", body="fixed by a limit")
    assert "lexer" in shown and "the parser hung" not in shown
    assert visitor.bench.rows("SELECT retired_why FROM item WHERE id = ?", int(number)) == [("merged",)]


def test_only_who_has_the_token_sees_or_changes_anything(visitor: Visitor) -> None:
    number = str(visitor.bench.save("note", "the staging host is blue", actor=AGENT))
    assert visitor.ask("GET", "/", Cookie="").status == 403
    assert visitor.ask("GET", "/?token=wrong", Cookie="").status == 403
    first = visitor.ask("GET", f"/?token={visitor.server.token}", Cookie="")
    assert first.status == 303 and first.getheader("Location") == "/" and "HttpOnly" in str(first.getheader("Set-Cookie"))
    good = {"token": visitor.server.token, "id": number}
    refused = [
        visitor.ask("POST", "/forget", {"id": number}),
        visitor.ask("POST", "/forget", good | {"token": "wrong"}),
        visitor.ask("POST", "/forget", good, Cookie=""),
        visitor.ask("POST", "/forget", good, Host="evil.example"),
        visitor.ask("POST", "/forget", good, Origin="http://evil.example"),
        visitor.ask("GET", "/", Host="evil.example"),
    ]
    assert [answer.status for answer in refused] == [403] * 6
    assert "staging host" in visitor.page()


def test_it_listens_on_the_loopback_interface_alone_and_asks_nobody(visitor: Visitor) -> None:
    assert visitor.server.server_address[0] == "127.0.0.1"
    answer = visitor.ask("GET", "/")
    assert "default-src 'none'" in str(answer.getheader("Content-Security-Policy"))
    assert not re.search(r"(?:src|href)=|url\(|@import|<script", answer.read().decode())
    assert visitor.ask("POST", "/forget", {"x": "y" * 200_000}).status == 413
    assert visitor.ask("GET", "/other").status == 404


def test_rows_of_another_project_cannot_be_touched(visitor: Visitor) -> None:
    other = visitor.bench.repository("other")
    number = str(visitor.bench.save("note", "the other one is written in Go", repo=other))
    visitor.bench.save("note", "this one is written in C")
    assert "written in Go" not in visitor.page()
    assert "is forgotten" not in visitor.post("forget", id=number)
    assert visitor.bench.rows("SELECT retired_why FROM item WHERE id = ?", int(number)) == [(None,)]


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_a_browser_shows_the_page(visitor: Visitor, tmp_path: pathlib.Path) -> None:
    visitor.bench.save("guardrail", "never force-push", body="others have fetched it", actor="user")
    visitor.bench.save("config", "Port of payments", body="listens on 8941", why="the old one was taken", file_path="src/pay.py")
    command = [str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=900,700"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={tmp_path / 'page.png'}", "--dump-dom"]
    done = subprocess.run([*command, visitor.server.address], check=True, capture_output=True, timeout=60, text=True)
    assert "never force-push" in done.stdout and "listens on 8941" in done.stdout
    assert (tmp_path / "page.png").stat().st_size > 10_000
