"""Serves the review page on the loopback interface, to whoever has the token of this run.

The token comes with the address that is printed; the first visit puts it into a cookie. Changes need it in the form as well,
from a page of this server. Names of other hosts are refused, so that no page from elsewhere can reach in by its own name.
"""

from __future__ import annotations

import hmac
import secrets
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from token_saver.errors import TokenSaverError

if TYPE_CHECKING:
    from token_saver_memory.web.review import Review

LOOPBACK = "127.0.0.1"
COOKIE = "memory_token"
_MOST_BODY = 1 << 17
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Server(ThreadingHTTPServer):
    """The server of one review; *token* is made anew for every run."""

    daemon_threads = True

    def __init__(self, review: Review, port: int = 0) -> None:
        super().__init__((LOOPBACK, port), Handler)
        self.review = review
        self.token = secrets.token_urlsafe(24)
        self.said = ""

    @property
    def address(self) -> str:
        """The address to open, with the token in it."""
        return f"http://{LOOPBACK}:{self.server_port}/?token={self.token}"

    def knows(self, token: str) -> bool:
        """Say whether *token* is the one of this run."""
        return hmac.compare_digest(token.encode(), self.token.encode())


class Handler(BaseHTTPRequestHandler):
    """Answers GET / with the page, and POST /confirm, /dispute, /edit and /forget with a change."""

    server: Server
    timeout = 10

    def do_GET(self) -> None:
        """Show the page."""
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if not self._is_ours():
            return
        if self.server.knows(query.get("token", "")):
            self._redirect(set_cookie=True)
        elif not self._has_cookie():
            self._send(HTTPStatus.FORBIDDEN, "Open the address that `token-saver memory web` printed.")
        elif parts.path != "/":
            self._send(HTTPStatus.NOT_FOUND, "There is nothing here.")
        else:
            self._show(query.get("q", ""))

    def do_POST(self) -> None:
        """Carry out a change, then show the page again."""
        if not self._is_ours():
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _MOST_BODY:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too much.")
            return
        raw = self.rfile.read(int(length)).decode("utf-8", "replace")
        fields = {name: values[0] for name, values in parse_qs(raw, keep_blank_values=True).items()}
        if not self._has_cookie() or not self.server.knows(fields.get("token", "")):
            self._send(HTTPStatus.FORBIDDEN, "The token is not the one of this run.")
            return
        try:
            self.server.said = self.server.review.changed(urlsplit(self.path).path.strip("/"), fields)
        except TokenSaverError as error:
            self.server.said = str(error)
        self._redirect()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 (the name is the base's)
        """Write nothing: addresses hold the token."""

    def _is_ours(self) -> bool:
        hosts = [f"{name}:{self.server.server_port}" for name in (LOOPBACK, "localhost")]
        origin = self.headers.get("Origin")
        if self.headers.get("Host") in hosts and (origin is None or origin.removeprefix("http://") in hosts):
            return True
        self._send(HTTPStatus.FORBIDDEN, "This page is for this machine alone.")
        return False

    def _has_cookie(self) -> bool:
        try:
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and self.server.knows(cookie.value)

    def _show(self, query: str) -> None:
        said, self.server.said = self.server.said, ""
        try:
            self._send(HTTPStatus.OK, self.server.review.shown(query, said, self.server.token))
        except TokenSaverError as error:
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))

    def _redirect(self, *, set_cookie: bool = False) -> None:
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", "/")
        if set_cookie:
            self.send_header("Set-Cookie", f"{COOKIE}={self.server.token}; HttpOnly; SameSite=Strict; Path=/")
        self._end(b"")

    def _send(self, status: HTTPStatus, text: str) -> None:
        self.send_response(status)
        kind = "text/html" if status == HTTPStatus.OK else "text/plain"
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self._end(text.encode("utf-8", "replace"))

    def _end(self, body: bytes) -> None:
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
