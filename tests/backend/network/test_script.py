"""The script that database hosts run: measured for real over loopback, and closed to clients without the token."""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import hmac
import http.server
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from backend.adviser.network.script import hawser_network_probe as script
from backend.core.adviser.network.probe_result import is_signed_with, parse_probe, signature_of

PATH = Path(script.__file__)
TOKEN = "a token of at least sixteen characters".replace(" ", "-")
Server = tuple[subprocess.Popen[str], int]


def started(*arguments: str, token: str = TOKEN) -> subprocess.Popen[str]:
    """The script as a process."""
    environment = {**os.environ, "HAWSER_PROBE_TOKEN": token}
    command = [sys.executable, str(PATH), *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def server() -> Iterator[Server]:
    """A serving host on a free port of loopback."""
    process = started("serve", "--listen", "127.0.0.1", "--port", "0", "--wait", "20")
    assert process.stderr is not None
    message = process.stderr.readline()
    found = re.search(r"port (\d+)", message)
    assert found, message
    with process:
        yield process, int(found[1])
        process.kill()


def run(port: int, *more: str, token: str = TOKEN) -> tuple[int, str, str]:
    """The measuring host."""
    where = ("--connect", "127.0.0.1", "--port", str(port), "--link", "l_abc", "--from", "db-a1", "--to", "db-b1")
    process = started("run", *where, "--seconds", "0.05", *more, token=token)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_two_hosts__one_run__signed_and_read_by_the_core(server: Server) -> None:
    code, out, err = run(server[1])
    assert (code, err) == (0, "")
    found = parse_probe(out)
    measured = found.measurement
    assert (found.link_id, found.from_node, measured.remote_address) == ("l_abc", "db-a1", "127.0.0.1")
    assert [(one.request_bytes, one.response_bytes, one.in_flight) for one in measured.exchanges] == list(
        script.EXCHANGES
    )
    assert measured.round_trip is not None
    assert measured.round_trip.p95_ms is not None
    assert min(measured.sent_mbit_s or 0, measured.received_mbit_s or 0) > 1
    assert measured.congestion_control.isalnum()
    assert abs(measured.clock_offset_ms or 0) <= 2 * (measured.clock_error_ms or 0) + 1
    assert (measured.packets or 0) > 100
    document = json.loads(out)
    assert is_signed_with(document, TOKEN)
    assert signature_of(document, TOKEN) == script.signature_of(document, TOKEN)
    assert server[0].wait(10) == 0


def test_client__wrong_token__refused_and_the_server_waits_on(server: Server) -> None:
    code, out, err = run(server[1], token=TOKEN + "x")
    assert (code, out) == (1, "")
    assert "refused the token" in err
    assert server[0].poll() is None


def test_server__stranger__gets_a_nonce_and_nothing_else(server: Server) -> None:
    odd = (b"{}", b"null", b"[" * 9000, b"\xff", b'{"nonce": "\\ud800", "proof": "\\ud800"}', b'{"error": 1}')
    for sent in (b"GET / HTTP/1.0\r\n\r\n", *(struct.pack(">I", len(body)) + body for body in odd)):
        with socket.create_connection(("127.0.0.1", server[1]), 5) as sock:
            answer = sock.recv(4096)
            assert set(json.loads(answer[4:])) == {"protocol", "nonce"}
            sock.sendall(sent)
            with contextlib.suppress(ConnectionResetError):
                assert sock.recv(10) == b""
    assert server[0].poll() is None


def test_server__own_proof_sent_back__is_no_clients(server: Server) -> None:
    """A proof names its role, so that a server's own answer proves nothing for a client."""
    with socket.create_connection(("127.0.0.1", server[1]), 5) as sock:
        hello = json.loads(sock.recv(4096)[4:])
        forged = hmac.new(TOKEN.encode(), hello["nonce"].encode(), hashlib.sha256).hexdigest()
        body = json.dumps({"nonce": hello["nonce"], "proof": forged}).encode()
        sock.sendall(struct.pack(">I", len(body)) + body)
        assert sock.recv(10) == b""
    nonces = ("first", "second")
    assert script.proof(TOKEN, "client", *nonces) != script.proof(TOKEN, "server", *nonces)


def authenticated(port: int) -> script.Connection:
    """A client that has the token and may misbehave."""
    connection = script.Connection(socket.create_connection(("127.0.0.1", port), 5), 2**30, 60)
    script.introduce(connection, TOKEN)
    return connection


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "exchange", "request_bytes": 2**31, "response_bytes": 1},
        {"do": "shell"},
    ],
)
def test_server__absurd_request_of_a_client_with_the_token__refused(server: Server, asked: dict[str, Any]) -> None:
    connection = authenticated(server[1])
    with connection.sock, pytest.raises(script.ProbeError, match=r"must be between|unknown request"):
        connection.ask(**asked)
    assert server[0].wait(10) == 1


@pytest.mark.parametrize("value", [True, "64", None, 2**31, -1, float("nan")])
def test_bounded__not_a_number_within_its_limits__refused(value: object) -> None:
    with pytest.raises(script.ProbeError, match="must be between"):
        script.bounded({"seconds": value}, "seconds", 0, script.MAX_SECONDS)


def test_connection__beyond_its_bytes_or_time__ends() -> None:
    bounded = script.Connection.__new__(script.Connection)
    bounded.left, bounded.deadline = 10, float("inf")
    with pytest.raises(script.ProbeError, match="limit of bytes"):
        bounded.write(b"12345678901")
    bounded.left, bounded.deadline = 10, 0.0
    with pytest.raises(script.ProbeError, match="limit of time"):
        bounded.spend(1)


@pytest.mark.parametrize(
    ("token", "more", "message"),
    [("short", (), "HAWSER_PROBE_TOKEN"), (TOKEN, ("--console", "http://console.example"), "https://")],
)
def test_run__bad_token_or_plain_http__says_what_to_do(token: str, more: tuple[str, ...], message: str) -> None:
    code, out, err = run(9, *more, token=token)
    assert (code, out) == (1, "")
    assert message in err


class Console(http.server.BaseHTTPRequestHandler):
    """Refuses every result, as a console does; `asked` is what came."""

    asked: ClassVar[list[tuple[str, dict[str, Any]]]] = []

    def do_POST(self) -> None:
        """Read it all and refuse."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, json.loads(body)))
        answer = json.dumps({"detail": "This probe token is unknown.\x1b[2J"}).encode()
        self.send_response(403)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def test_upload__console_refuses__its_sentence_without_control_characters() -> None:
    server = http.server.HTTPServer(("127.0.0.1", 0), Console)
    threading.Thread(target=server.handle_request, daemon=True).start()
    options = argparse.Namespace(console=f"http://127.0.0.1:{server.server_port}/", token=TOKEN, ca_file=None)
    with server, pytest.raises(script.ProbeError, match=r"refused the result: This probe token is unknown\.\[2J$"):
        script.upload(options, {"link_id": "l_abc"})
    assert Console.asked == [("/api/v1/network-results", {"token": TOKEN, "result": {"link_id": "l_abc"}})]


def test_script__syntax_and_imports__of_python_3_6_and_its_library() -> None:
    tree = ast.parse(PATH.read_text(), feature_version=(3, 6))
    imported = {
        name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names - {"__future__", "dataclasses"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.NamedExpr)]


def test_percentiles__too_few__are_null() -> None:
    assert script.percentiles([3.0, 1.0, 2.0]) | {"p50_ms": None} == {
        "min_ms": 1.0,
        "mean_ms": 2.0,
        "p50_ms": None,
        "p95_ms": None,
        "p99_ms": None,
        "max_ms": 3.0,
    }
