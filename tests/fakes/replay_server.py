"""A server that answers from a recording over the wire; it takes any login, and refuses every other statement."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from backend.gateway.connection.endpoint import NodeEndpoint
from tests.core.dialects.recorded import read
from tests.gateway.rogue import CAPABILITIES, OK, greeting, packet, read_packet

CLOCK = "SELECT @@timestamp AS now_s"
"""Answered with the time of now: a recorded one would be off by the age of the recording."""
_QUIT, _QUERY = 1, 3
_EOF = b"\xfe\0\0\x02\0"
_UNKNOWN = b"\xff" + struct.pack("<H", 1064) + b"#42000this recording has no answer to the statement"
_NO_VARIABLE = b"\xff" + struct.pack("<H", 1193) + b"#HY000Unknown system variable 'wsrep_sync_wait'"
_UTF8MB4, _VAR_STRING = 45, 253
_LIST = re.compile(r"(?P<head>SHOW GLOBAL (?:VARIABLES|STATUS) WHERE Variable_name IN) \((?P<names>[^)]*)\)")
Rows = Sequence[dict[str, Any]]


@dataclass(slots=True)
class Replay:
    """The recording of a folder; `unknown` are the statements that it had no answer to, `heard` are all.

    `has_wsrep` False: it refuses settings of Galera, as MySQL without it does.
    """

    folder: Path
    version: str = ""
    unknown: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    has_wsrep: bool = True
    _answers: dict[str, Rows] = field(default_factory=dict)

    def __post_init__(self) -> None:
        about = json.loads((self.folder / "about.json").read_text())
        self.version = about["version"]
        for one in about["answers"]:
            if "file" in one:
                self._answers[_without_names(one["statement"])] = read((self.folder / one["file"]).read_text())

    def answer(self, sql: str) -> bytes | list[bytes]:
        """The packets of an answer: of a list of settings those that were asked for."""
        self.heard.append(sql)
        if sql == "SET SESSION wsrep_sync_wait=0" and not self.has_wsrep:
            return _NO_VARIABLE
        if sql.upper().startswith("SET "):
            return OK
        now_s = f"{datetime.now(UTC).timestamp():.6f}"
        rows = [{"now_s": now_s}] if sql == CLOCK else self._answers.get(_without_names(sql))
        if rows is None:
            self.unknown.append(sql)
            return _UNKNOWN
        asked = _LIST.fullmatch(sql)
        if asked is not None:
            names = {name.strip("'").lower() for name in asked["names"].split(",")}
            rows = [row for row in rows if str(row["Variable_name"]).lower() in names]
        return _result(rows)


def _without_names(sql: str) -> str:
    """A list of settings is answered from the recording of a release that asked for others, too."""
    found = _LIST.fullmatch(sql)
    return found["head"] if found else sql


def _sized(value: object) -> bytes:
    if value is None:
        return b"\xfb"
    text = str(value).encode()
    return (bytes([len(text)]) if len(text) < 251 else b"\xfc" + struct.pack("<H", len(text))) + text


def _column(name: str) -> bytes:
    names = b"".join(map(_sized, ("def", "", "", "", name, name)))
    return names + b"\x0c" + struct.pack("<HIBHB", _UTF8MB4, 65_535, _VAR_STRING, 0, 0) + b"\0\0"


def _result(rows: Rows) -> list[bytes]:
    """All values as text, as the text protocol has them."""
    names = list(rows[0]) if rows else ["none"]
    lines = [b"".join(_sized(row[name]) for name in names) for row in rows]
    return [bytes([len(names)]), *map(_column, names), _EOF, *lines, _EOF]


class _Connection:
    def __init__(self, client: socket.socket, replay: Replay) -> None:
        self._client, self._replay = client, replay

    def serve(self) -> None:
        try:
            self._send(0, [greeting(self._replay.version.encode(), CAPABILITIES)])
            self._send(read_packet(self._client)[0] + 1, [OK])
            while (command := read_packet(self._client)[1])[0] != _QUIT:
                sql = command[1:].decode() if command[0] == _QUERY else ""
                found = self._replay.answer(sql) if sql else OK
                self._send(1, [found] if isinstance(found, bytes) else found)
        except (EOFError, OSError):
            return
        finally:
            self._client.close()

    def _send(self, sequence: int, bodies: list[bytes]) -> None:
        self._client.sendall(b"".join(packet((sequence + i) % 256, body) for i, body in enumerate(bodies)))


@contextmanager
def replayed(folder: Path) -> Iterator[tuple[NodeEndpoint, Replay]]:
    """The server on a loopback port; it ends with the block."""
    replay = Replay(folder)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                client.settimeout(5)
                threading.Thread(target=_Connection(client, replay).serve, daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield NodeEndpoint("127.0.0.1", server.getsockname()[1], "user", "any password"), replay
        server.shutdown(socket.SHUT_RDWR)
