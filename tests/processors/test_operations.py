"""What operates software: structured data stays valid, exceptional rows stay whole, every row over the budget keeps its name."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from token_saver.engine import CompressionEngine

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shown(engine: CompressionEngine, command: str, text: str, exit_code: int | None = 0) -> str:
    return engine.compress(command, text, exit_code=exit_code)[0]


def _pods(count: int) -> str:
    rows = ["NAME                          READY   STATUS    RESTARTS   AGE"]
    for number in range(count):
        state = "11/12   Running  " if number == 57 else "0/1     Pending  " if number == 91 else "1/1     Running  "
        rows.append(f"web-{number:04}-7fb96c846b          {state} 0          {number}d")
    return "\n".join(rows) + "\n"


def test_a_pod_that_is_not_ready_stays_whole_and_every_other_is_named(engine: CompressionEngine) -> None:
    result = shown(engine, "kubectl get pods", _pods(300))
    assert "web-0057-7fb96c846b  11/12  Running  0  57d" in result
    assert "web-0091-7fb96c846b  0/1  Pending  0  91d" in result
    assert [number for number in range(300) if f"web-{number:04}" not in result] == []
    assert len(result) < len(_pods(300)) / 2


def test_a_listening_socket_is_told_by_process_and_address(engine: CompressionEngine) -> None:
    rows = ["Netid State  Recv-Q Send-Q   Local Address:Port   Peer Address:Port Process"]
    rows += [f'udp   UNCONN 0      0    0.0.0.0:{40000 + n}     0.0.0.0:*   users:(("host",pid={n},fd=20))' for n in range(200)]
    rows.append('tcp   LISTEN 0      80   127.0.0.1:3306   0.0.0.0:*   users:(("mariadbd",pid=77,fd=20))')
    result = shown(engine, "ss -tulpn", "\n".join(rows) + "\n")
    assert '127.0.0.1:3306  0.0.0.0:*  users:(("mariadbd",pid=77,fd=20))' in result
    assert "rows: UNCONN" in result and [n for n in range(200) if f"0.0.0.0:{40000 + n}" not in result] == []


def test_short_settings_keep_their_values_before_deep_ones(engine: CompressionEngine) -> None:
    deep = [f"net.ipv4.conf.eth{n}.accept_{k} = 0" for n in range(60) for k in range(20)]
    lines = [*deep[:600], "net.ipv4.ip_forward = 1", *deep[600:], "vm.swappiness = 60"]
    result = shown(engine, "sysctl -a", "\n".join(lines) + "\n")
    assert "net.ipv4.ip_forward = 1" in result and "vm.swappiness = 60" in result
    assert len(result) < len("\n".join(lines)) / 3


def test_rows_unlike_the_others_stay_in_the_middle_of_a_table(engine: CompressionEngine) -> None:
    rows = [f" {n:4} | customer {n % 7} | {'refused' if n == 700 else 'sent':8} " for n in range(1400)]
    text = "\n".join(["   id | customer   | status   ", "------+------------+----------", *rows, "(1400 rows)", ""])
    result = shown(engine, "psql -c 'select * from orders'", text)
    assert "700 | customer 0 | refused" in result and "(1400 rows)" in result and "status" in result


def test_manifests_stay_valid_and_say_what_goes(engine: CompressionEngine) -> None:
    managed = "\n".join(f"    f:field{n}:\n      f:x: {{}}" for n in range(20))
    head = "apiVersion: v1\nkind: Pod\nmetadata:\n  managedFields:\n  - manager: kubectl"
    text = f"{head}\n{managed}\n  name: web\nspec:\n  nodeName: a\n"
    result = shown(engine, "kubectl get pod web -o yaml", text)
    assert '  managedFields: "[… 41 lines]"\n  name: web\nspec:\n  nodeName: a\n' in result


def test_the_middle_of_library_frames_is_counted_and_the_users_own_stay(engine: CompressionEngine) -> None:
    frames = [f"    at step{n} (node:internal/modules/run:{n}:1)" for n in range(9)]
    text = "\n".join(
        ["Error: no shelf", "    at place (/home/dev/project/shelf.js:3:7)", *frames, "    at last (/home/dev/a.js:1:1)", ""]
    )
    result = shown(engine, "./start", text, 1)
    assert "shelf.js:3:7" in result and "a.js:1:1" in result and "Error: no shelf" in result
    assert "[… 7 lines of library frames]" in result and "step0" in result and "step8" in result


def test_a_constant_in_a_library_frame_tells_where_to_look(engine: CompressionEngine) -> None:
    frame = '  File "/usr/lib/python3.11/site-packages/shop/{0}.py", line 4, in {0}\n    {1}\n'
    frames = "".join(frame.format(f"step{n}", "read(settings.INSTALLED_APPS)" if n == 4 else f"go({n})") for n in range(12))
    result = shown(engine, "./start", f"Traceback (most recent call last):\n{frames}KeyError: 'x'\n", 1)
    assert "INSTALLED_APPS" in result and "KeyError: 'x'" in result and "lines of library frames" in result


def test_of_many_choices_those_near_the_command_stay(engine: CompressionEngine) -> None:
    names = [f"describe-thing-{n}" for n in range(400)] + ["describe-instances"]
    rows = "\n".join(f"{a:40} | {b:40}" for a, b in zip(names[::2], [*names[1::2], ""], strict=True))
    text = f"usage: aws [options]\naws: error: argument operation: Invalid choice, valid choices are:\n\n{rows}\n"
    result = shown(engine, "aws ec2 list-instances", text, 2)
    assert "Invalid choice" in result and "describe-instances" in result and len(result) < len(text) / 4


def test_a_sanitizers_shadow_memory_is_counted(engine: CompressionEngine) -> None:
    shadow = "\n".join(f"  0x0c047fff7f{n:02x}: fa fa fd fd fa fa" for n in range(11))
    report = "==1==ERROR: AddressSanitizer: heap-use-after-free\n    #0 0x1 in main uaf.c:3\nSUMMARY: x"
    text = f"{report}\nShadow bytes around the buggy address:\n{shadow}\n==1==ABORTING\n"
    result = shown(engine, "./uaf", text, 1)
    assert "uaf.c:3" in result and "[… 12 lines of shadow memory]" in result and "ABORTING" in result


SECRETS = (
    ("env", "HOME=/home/dev\nAWS_SECRET_ACCESS_KEY={}\nPATH=/bin\n", "AWS_SECRET_ACCESS_KEY"),
    ("printenv", "STRIPE_API_KEY={}\nLANG=C\n", "STRIPE_API_KEY"),
    ("docker inspect web", '[{{"Config": {{"Env": ["DB_PASSWORD={}", "PORT=80"]}}}}]\n', "DB_PASSWORD"),
    ("kubectl get pod web -o yaml", "apiVersion: v1\nenv:\n- name: A\npassword: {}\n", "password"),
    ("curl -v http://a/", "> Authorization: Bearer {}\n< HTTP/1.1 200 OK\n", "Authorization"),
)


@pytest.mark.parametrize(("command", "text", "name"), SECRETS, ids=[command for command, *_ in SECRETS])
def test_secrets_are_masked_and_their_names_stay(engine: CompressionEngine, command: str, text: str, name: str) -> None:
    secret = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYab"
    result = shown(engine, command, text.format(secret))
    assert secret not in result and name in result


def _documents() -> list[tuple[str, str, int | None, str]]:
    found = []
    for folder in ("captures", "public"):
        index = SHARED / folder / "index.json"
        for entry in json.loads(index.read_text()) if index.exists() else []:
            text = (SHARED / folder / entry["input"]).read_bytes().decode("utf-8", "surrogateescape")
            if _parses(text):
                found.append((entry["name"], entry["command"], entry.get("exit_code"), text))
    return found


def _parses(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_every_shared_document_is_one_afterwards(engine: CompressionEngine) -> None:
    documents = _documents()
    if not documents:
        pytest.skip("the shared captures are not here")
    assert [name for name, command, code, text in documents if not _parses(shown(engine, command, text, code))] == []


@pytest.mark.parametrize(
    "command", ["ss -a", "kubectl get pods", "psql", "tar -tv", "aws ec2 x", "sysctl -a", "curl -v x", "./run"]
)
def test_long_and_odd_lines_are_read_in_linear_time(engine: CompressionEngine, command: str) -> None:
    lines = [
        "x" * 300_000,
        " at " + "a(" * 100_000,
        '  File "' + "/lib" * 50_000,
        "-" * 200_000 + "x",
        "a | " * 50_000,
        " \t" * 50_000,
    ]
    start = time.perf_counter()
    shown(engine, command, "\n".join(["NAME  STATUS  AGE", *lines, *lines[::-1]]) + "\n", 1)
    assert time.perf_counter() - start < 5
