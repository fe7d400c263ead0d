"""Reads raw events of a node's binary log by the dump protocol, over a pure Python connection.

mysqlclient cannot send COM_BINLOG_DUMP; PyMySQL can. The same requirements hold as for sessions: TLS is
enforced before credentials are sent, a password is handed over to a verified server only, every wait is bounded. The
server id is a random high one: a server disconnects the replica whose id a reader uses (domain fact 8).
"""

from __future__ import annotations

import secrets
import ssl
import struct
import time
import zlib
from collections.abc import Iterator

import pymysql

from backend.core.dialects import sessions_of
from backend.core.facts.channel_faults import ERRORS_OF_SENDING
from backend.core.facts.log_continuity import PlaceRead
from backend.core.orphans.transactions import RawEvent
from backend.core.ports import NodeError
from backend.core.positions import DUMP_OFFSETS, FIRST_EVENT_OFFSET, FilePosition
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.python_login import FAULTS, LoginConnection, open_login, text_of
from backend.gateway.connection.session import READ_S

NON_BLOCK, ANNOTATE = 1, 2
_DUMP, HEADER = 0x12, 19
ROTATE, _XID = 4, 16
_FORMAT, _CRC32 = 15, 1
_MADE_UP = 0x20
"""An event that the server made up for this connection; it is not in the file."""


def read_events(
    name: str, endpoint: NodeEndpoint, start: FilePosition, *, limit_s: float, read_s: float = READ_S
) -> Iterator[RawEvent]:
    """Events from `start` to the log's end when it is reached; raises NodeError."""
    until = time.monotonic() + limit_s
    connection = open_login(name, endpoint, read_s=read_s)
    try:
        _begin(connection, start)
        stream = _Stream(start)
        while True:
            packet = connection._read_packet()  # noqa: SLF001 - the protocol has no public door
            if packet.is_eof_packet():
                return
            event = stream.take(packet.get_all_data())
            if event is not None:
                yield event
            if time.monotonic() > until:
                raise NodeError(name, f"reading row images took longer than {limit_s:g} s")
    except FAULTS as error:
        raise NodeError(name, f"the binary log cannot be read: {text_of(error)}", code=_code(error)) from error
    finally:
        connection._force_close()  # noqa: SLF001 - the server is in the middle of a stream


def file_created_at(name: str, endpoint: NodeEndpoint, file: str, *, read_s: float = READ_S) -> int:
    """When the server began a file, by its own clock: the time of the file's first event; raises NodeError."""
    connection = open_login(name, endpoint, read_s=read_s)
    try:
        _begin(connection, FilePosition(file, FIRST_EVENT_OFFSET))
        while not (packet := connection._read_packet()).is_eof_packet():  # noqa: SLF001 - as above
            at_s, kind = struct.unpack_from("<IB", packet.get_all_data(), 1)
            if kind == _FORMAT:
                return int(at_s)
        raise _malformed(f"no event that describes {file}")
    except FAULTS as error:
        raise NodeError(name, f"{file} cannot be read: {text_of(error)}", code=_code(error)) from error
    finally:
        connection._force_close()  # noqa: SLF001 - as above


def place_at(name: str, endpoint: NodeEndpoint, begins: FilePosition, *, read_s: float = READ_S) -> PlaceRead:
    """What stands at a place of the log now: when its file was begun, and the event that begins there.

    A server that refuses the place has no such file, no such offset, or no event that begins there. Raises NodeError.
    """
    connection = open_login(name, endpoint, read_s=read_s)
    try:
        _begin(connection, begins)
        stream, created_s = _Stream(begins), None
        while not (packet := connection._read_packet()).is_eof_packet():  # noqa: SLF001 - as above
            data = packet.get_all_data()
            event = stream.take(data)
            at_s, kind = struct.unpack_from("<IB", data, 1)
            if kind == _FORMAT:
                created_s = int(at_s)
                if begins.offset == FIRST_EVENT_OFFSET:
                    return PlaceRead(created_s)
            elif event is not None and event.end > begins.offset:
                xid = int.from_bytes(event.body[:8], "little") if event.kind == _XID else None
                return PlaceRead(created_s, event.server_id, event.end, xid, event.at_s)
        return PlaceRead(created_s)
    except FAULTS as error:
        if _code(error) in ERRORS_OF_SENDING:
            return PlaceRead(refusal=text_of(error))
        raise NodeError(name, f"{begins} cannot be read: {text_of(error)}", code=_code(error)) from error
    finally:
        connection._force_close()  # noqa: SLF001 - as above


class Dump:
    """A log as the server sends it on: bytes, without an end. Receiving never waits: it raises BlockingIOError or
    ssl.SSLWantReadError where nothing has come in."""

    def __init__(self, connection: LoginConnection) -> None:
        self._connection = connection
        self._socket = connection._sock  # noqa: SLF001 - the driver has no public name for it
        self._socket.settimeout(0)

    def fileno(self) -> int:
        """What to wait for."""
        return int(self._socket.fileno())

    def recv(self, most: int) -> bytes:
        """What has come in; empty where the server closed the connection."""
        data: bytes = self._socket.recv(most)
        return data

    def holds_more(self) -> bool:
        """Whether something has come in for which `fileno` is not told again."""
        return isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0

    def close(self) -> None:
        """End the connection; the server ends its thread with the next event that it cannot send."""
        self._connection._force_close()  # noqa: SLF001 - as above


def open_dump(name: str, endpoint: NodeEndpoint, start: FilePosition, *, heartbeat_s: float, read_s: float) -> Dump:
    """Ask for all that follows `start`; a server with nothing to send sends a heartbeat. Raises NodeError."""
    connection = open_login(name, endpoint, read_s=read_s)
    try:
        connection.query(f"SET @master_heartbeat_period={int(heartbeat_s * 1e9)}")
        _begin(connection, start, waits=True)
        return Dump(connection)
    except FAULTS as error:
        connection._force_close()  # noqa: SLF001 - as above
        raise NodeError(name, f"the binary log cannot be read: {text_of(error)}", code=_code(error)) from error


def _begin(connection: LoginConnection, start: FilePosition, *, waits: bool = False) -> None:
    forms = sessions_of(connection.get_server_info())
    connection.query(forms.dump_settings)
    if start.offset >= DUMP_OFFSETS:
        raise pymysql.err.OperationalError(0, f"{start} is beyond the maximum offset of the dump protocol")
    server_id = 0x7F000000 | secrets.randbits(23)
    flags = (0 if waits else NON_BLOCK) | (ANNOTATE if forms.sends_annotations else 0)
    body = struct.pack("<IHI", start.offset, flags, server_id) + start.file.encode()
    connection._execute_command(_DUMP, body)  # noqa: SLF001 - as above


class _Stream:
    """Tracks the file being sent, where its events end, and whether they have a checksum; checks every event."""

    def __init__(self, start: FilePosition) -> None:
        self._file, self._end = start.file, start.offset
        self._has_checksums = False

    def take(self, packet: bytes) -> RawEvent | None:
        """Decode one packet: a zero byte, header, body, possibly four bytes of checksum. None for a change of file."""
        if len(packet) < 1 + HEADER or packet[0] != 0:
            raise _malformed("a packet that is not an event")
        data = packet[1:]
        at_s, kind, server_id, size, end, flags = struct.unpack_from("<IBIIIH", data)
        if size != len(data):
            raise _malformed("an event whose length is wrong")
        if kind == ROTATE:
            self._file = file_of(data)
            self._end = FIRST_EVENT_OFFSET
            return None
        if not flags & _MADE_UP:  # since 11.4 a transaction's inner events may state no end
            self._end = end = end or (self._end + size) % 2**32
        if kind == _FORMAT:
            self._has_checksums = data[-5] == _CRC32
            return None
        if not self._has_checksums:
            return RawEvent(self._file, kind, at_s, server_id, end, data[HEADER:])
        if not _is_sound(data):
            raise _malformed(f"an event whose checksum is wrong, ending at {self._file}:{end}")
        return RawEvent(self._file, kind, at_s, server_id, end, data[HEADER:-4])


def file_of(rotate: bytes) -> str:
    """The file that follows such an event; it may come before the one that tells whether there are checksums."""
    return rotate[HEADER + 8 : -4 if _is_sound(rotate) else None].decode()


def _is_sound(data: bytes) -> bool:
    return zlib.crc32(data[:-4]) == int.from_bytes(data[-4:], "little")


def _malformed(text: str) -> pymysql.Error:
    return pymysql.err.OperationalError(2027, text)


def _code(error: Exception) -> int:
    """The server's error number, 0 for none."""
    code = error.args[0] if isinstance(error, pymysql.Error) and error.args else 0
    return code if isinstance(code, int) else 0
