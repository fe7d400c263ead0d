"""What strangers may send to the web process itself, before anybody is asked who he is."""

from __future__ import annotations

import http.client
import json
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.web_process import WebProcess, web_process

pytestmark = pytest.mark.server

MIB = 1024 * 1024


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    with web_process(tmp_path_factory.mktemp("web"), HAWSER_BODY_LIMIT_S="1") as process:
        yield process


def answer_of(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, json.loads(response.read() or b"{}")


def sent(web: WebProcess, head: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", web.port), timeout=20)
    connection.sendall((head.replace("\n", "\r\n") + "\r\n\r\n").encode())
    return connection


def temporary_bytes(web: WebProcess) -> int:
    """Files that the process holds open in its temporary folder, deleted ones too, and those that lie there."""
    found = sum(file.stat().st_size for file in web.temporary.rglob("*") if file.is_file())
    for each in Path(f"/proc/{web.pid}/fd").iterdir():
        try:
            if str(web.temporary) in str(each.readlink()):
                found += each.stat().st_size
        except FileNotFoundError:
            continue
    return found


def resident_mib(web: WebProcess) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{web.pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


@pytest.mark.parametrize("line", ["POST /api/v1/session", "POST /healthz", "GET /api/v1/links", "DELETE /x"])
def test_body__200_mib_chunked__413_and_nothing_of_it_is_kept(web: WebProcess, line: str) -> None:
    before, largest, sent_mib = resident_mib(web), 0, 0
    chunk = b"%x\r\n" % MIB + b"x" * MIB + b"\r\n"
    head = f"{line} HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked"
    with sent(web, head) as connection, suppress(OSError):
        while sent_mib < 200:
            connection.sendall(chunk)
            sent_mib += 1
            largest = max(largest, temporary_bytes(web))
    assert largest == 0
    assert sent_mib < 20
    assert resident_mib(web) - before < 20


def test_body__a_little_too_large_and_chunked__413_problem(web: WebProcess) -> None:
    with sent(web, "POST /api/v1/session HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked") as connection:
        connection.sendall(b"%x\r\n" % (MIB + 1) + b"x" * (MIB + 1))
        status, problem = answer_of(connection)
    assert (status, problem["code"]) == (413, "body_too_large")


def test_body__declared_too_large__413_before_it_is_sent(web: WebProcess) -> None:
    head = f"POST /api/v1/session HTTP/1.1\nHost: localhost\nContent-Length: {MIB + 1}\nExpect: 100-continue"
    with sent(web, head) as connection:
        status, problem = answer_of(connection)
    assert (status, problem["code"]) == (413, "body_too_large")
    assert "1 MiB" in problem["detail"]
    assert problem["request_id"]


def test_body__half_sent__408_within_its_time(web: WebProcess) -> None:
    with sent(web, "POST /api/v1/session HTTP/1.1\nHost: localhost\nContent-Length: 100") as connection:
        connection.sendall(b"{")
        status, problem = answer_of(connection)
    assert (status, problem["code"]) == (408, "body_too_slow")
    assert "within 1 s" in problem["detail"], "the limit of this process's setting"


def test_body__as_large_as_allowed__read(web: WebProcess) -> None:
    with sent(web, f"POST /api/v1/session HTTP/1.1\nHost: localhost\nContent-Length: {MIB}") as connection:
        connection.sendall(b"x" * MIB)
        status, problem = answer_of(connection)
    assert (status, problem["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HTTP/1.1\r\nHos"])
def test_head__never_complete_on_300_connections__others_answered_and_each_closed(
    web: WebProcess, begun: bytes
) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", web.port), 20)) for _ in range(300)]
        for connection in silent:
            with suppress(OSError):
                connection.sendall(begun)
        with sent(web, "GET /healthz HTTP/1.1\nHost: localhost") as other:
            assert answer_of(other)[0] == 200
        assert all(is_closed(connection) for connection in silent)


def test_head__bytes_that_begin_none_behind_an_answer__closed(web: WebProcess) -> None:
    with sent(web, "GET /healthz HTTP/1.1\nHost: localhost") as connection:
        assert answer_of(connection)[0] == 200
        connection.sendall(b"\r\n")
        assert is_closed(connection)


def is_closed(connection: socket.socket) -> bool:
    """Whether the process closes it after what it answered, before the connection's own time is over."""
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True
    return True


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", ["/healthz", "/api/v1/healthz"])
def test_healthz__of_the_process__as_django_answers_it(web: WebProcess, method: str, path: str) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", web.port, timeout=5)) as connection:
        connection.request(method, path)
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
        assert answer.read() == (b"" if method == "HEAD" else b'{"status":"ok"}')
        connection.request("POST", path)
        refused = connection.getresponse()
        assert refused.status == 405
        refused.close()


def test_process__ended_by_sigterm__refusals_it_counted_are_in_the_record(tmp_path: Path) -> None:
    with web_process(tmp_path) as web:
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=5)
        connection.request("GET", "/api/v1/links", headers={"Authorization": "Bearer hawser_unknown"})
        assert connection.getresponse().status == 401
        connection.close()
    with sqlite3.connect(tmp_path / "console.sqlite3") as database:
        rows = database.execute("SELECT action, actor, source_ip FROM audit_auditrecord").fetchall()
    assert rows[1:] == [("api:access:refused", "anonymous", "127.0.0.1")]
