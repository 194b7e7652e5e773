"""A registry for `npm audit` that knows a few invented advisories and sends every other question to the real one."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_ADVISORIES = {
    "minimist": [
        {
            "id": 900001,
            "url": "https://advisories.example/HBR-2024-0001",
            "title": "Prototype pollution in minimist",
            "severity": "critical",
            "vulnerable_versions": "<1.2.6",
            "cwe": ["CWE-1321"],
            "cvss": {"score": 9.8, "vectorString": ""},
        }
    ],
    "ms": [
        {
            "id": 900002,
            "url": "https://advisories.example/HBR-2024-0002",
            "title": "Slow regular expression in ms",
            "severity": "moderate",
            "vulnerable_versions": "<2.0.0",
            "cwe": ["CWE-1333"],
            "cvss": {"score": 5.3, "vectorString": ""},
        }
    ],
}


def serve_advisories(registry: str) -> str:
    """Start the registry in the background, for as long as this process lives; return its address."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.dumps(_ADVISORIES).encode()
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", registry.rstrip("/") + self.path)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Print nothing: only the tool under recording may."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"
