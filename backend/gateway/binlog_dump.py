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
from typing import Any

import pymysql
from pymysql.connections import Connection

from backend.core.dialects import sessions_of
from backend.core.orphans.transactions import RawEvent
from backend.core.ports import NodeError
from backend.core.positions import DUMP_OFFSETS, FIRST_EVENT_OFFSET, FilePosition
from backend.core.topology import Reach
from backend.gateway.connection.addresses import AddressError, hosts_to_connect
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode, connect_limit_s
from backend.gateway.connection.errors import NOT_CONNECTED, ConnectError
from backend.gateway.connection.session import READ_S
from backend.gateway.connection.tls import NATIVE, SHA2, is_verified, other_plugin, pem_file

NON_BLOCK, ANNOTATE = 1, 2
_DUMP, _HEADER = 0x12, 19
_ROTATE = 4
_FORMAT, _CRC32 = 15, 1
_MADE_UP = 0x20
"""An event that the server made up for this connection; it is not in the file."""
_FAULTS = (pymysql.Error, OSError, RuntimeError, ValueError, IndexError, AssertionError, struct.error)
"""What the driver raises, also for malformed packets."""


class _Connection(Connection):  # type: ignore[misc, unused-ignore]
    """Logs in by challenge, or by `caching_sha2_password` to a verified server: with any other it would send the
    password to any server that asks."""

    def __init__(self, demand: Tls, **options: Any) -> None:
        self._demand = demand
        super().__init__(**options)

    def _request_authentication(self) -> None:
        self._auth_plugin_name = NATIVE
        super()._request_authentication()

    def _process_auth(self, plugin_name: Any, auth_packet: Any, handler: Any = None) -> Any:
        allowed = (NATIVE, SHA2) if self._secure and is_verified(self._demand) else (NATIVE,)
        if plugin_name not in [name.encode() for name in allowed]:
            raise pymysql.err.OperationalError(2059, other_plugin(self._demand, allowed))
        return super()._process_auth(plugin_name, auth_packet)


def tls_context(tls: Tls) -> ssl.SSLContext | None:
    """The connection's TLS requirement; None for none. REQUIRED encrypts without verifying, as for sessions;
    VERIFY_CA also checks the name, as for sessions."""
    if tls.mode is TlsMode.DISABLED:
        return None
    if tls.mode is TlsMode.REQUIRED:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        context = ssl.create_default_context(cadata=tls.ca_pem or None)
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if tls.cert_pem:
        context.load_cert_chain(pem_file(tls.cert_pem), pem_file(tls.key_pem))
    return context


def read_events(
    name: str, endpoint: NodeEndpoint, start: FilePosition, *, limit_s: float, read_s: float = READ_S
) -> Iterator[RawEvent]:
    """Events from `start` to the log's end when it is reached; raises NodeError."""
    until = time.monotonic() + limit_s
    connection = _open(name, endpoint, read_s)
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
    except _FAULTS as error:
        raise NodeError(name, f"the binary log cannot be read: {_text(error)}", code=_code(error)) from error
    finally:
        connection._force_close()  # noqa: SLF001 - the server is in the middle of a stream


def file_created_at(name: str, endpoint: NodeEndpoint, file: str, *, read_s: float = READ_S) -> int:
    """When the server began a file, by its own clock: the time of the file's first event; raises NodeError."""
    connection = _open(name, endpoint, read_s)
    try:
        _begin(connection, FilePosition(file, FIRST_EVENT_OFFSET))
        while not (packet := connection._read_packet()).is_eof_packet():  # noqa: SLF001 - as above
            at_s, kind = struct.unpack_from("<IB", packet.get_all_data(), 1)
            if kind == _FORMAT:
                return int(at_s)
        raise _malformed(f"no event that describes {file}")
    except _FAULTS as error:
        raise NodeError(name, f"{file} cannot be read: {_text(error)}", code=_code(error)) from error
    finally:
        connection._force_close()  # noqa: SLF001 - as above


def _open(name: str, endpoint: NodeEndpoint, read_s: float) -> _Connection:
    """Connect to the first checked address that responds."""
    context = tls_context(endpoint.tls)
    is_named = context is not None and context.check_hostname
    try:
        hosts = hosts_to_connect(endpoint.host, endpoint.policy, is_proven_by_name=is_named)
        for host in hosts[:-1]:
            try:
                return _connect(host, endpoint, context, read_s)
            except pymysql.err.OperationalError as error:
                if error.args[0] not in NOT_CONNECTED:
                    raise
        return _connect(hosts[-1], endpoint, context, read_s)
    except AddressError as error:
        raise ConnectError(name, str(error), Reach.UNKNOWN) from error
    except _FAULTS as error:
        raise ConnectError(name, f"login for the binary log refused: {_text(error)}", Reach.REFUSED) from error


def _connect(host: str, endpoint: NodeEndpoint, context: ssl.SSLContext | None, read_s: float) -> _Connection:
    return _Connection(
        endpoint.tls,
        host=host,
        port=endpoint.port,
        user=endpoint.user,
        password=endpoint.password,
        charset="utf8mb4",
        connect_timeout=connect_limit_s(endpoint.round_trip_ms),
        read_timeout=read_s,
        write_timeout=read_s,
        autocommit=True,
        local_infile=False,
        ssl=context,
        ssl_disabled=context is None,
    )


def _begin(connection: _Connection, start: FilePosition) -> None:
    forms = sessions_of(connection.get_server_info())
    connection.query(forms.dump_settings)
    if start.offset >= DUMP_OFFSETS:
        raise pymysql.err.OperationalError(0, f"{start} is beyond the maximum offset of the dump protocol")
    server_id = 0x7F000000 | secrets.randbits(23)
    flags = NON_BLOCK | (ANNOTATE if forms.sends_annotations else 0)
    body = struct.pack("<IHI", start.offset, flags, server_id) + start.file.encode()
    connection._execute_command(_DUMP, body)  # noqa: SLF001 - as above


class _Stream:
    """Tracks the file being sent, where its events end, and whether they have a checksum; checks every event."""

    def __init__(self, start: FilePosition) -> None:
        self._file, self._end = start.file, start.offset
        self._has_checksums = False

    def take(self, packet: bytes) -> RawEvent | None:
        """Decode one packet: a zero byte, header, body, possibly four bytes of checksum. None for a change of file."""
        if len(packet) < 1 + _HEADER or packet[0] != 0:
            raise _malformed("a packet that is not an event")
        data = packet[1:]
        at_s, kind, server_id, size, end, flags = struct.unpack_from("<IBIIIH", data)
        if size != len(data):
            raise _malformed("an event whose length is wrong")
        if kind == _ROTATE:
            self._file = data[_HEADER + 8 : -4 if _is_sound(data) else None].decode()
            self._end = FIRST_EVENT_OFFSET
            return None
        if not flags & _MADE_UP:  # since 11.4 a transaction's inner events may state no end
            self._end = end = end or (self._end + size) % 2**32
        if kind == _FORMAT:
            self._has_checksums = data[-5] == _CRC32
            return None
        if not self._has_checksums:
            return RawEvent(self._file, kind, at_s, server_id, end, data[_HEADER:])
        if not _is_sound(data):
            raise _malformed(f"an event whose checksum is wrong, ending at {self._file}:{end}")
        return RawEvent(self._file, kind, at_s, server_id, end, data[_HEADER:-4])


def _is_sound(data: bytes) -> bool:
    return zlib.crc32(data[:-4]) == int.from_bytes(data[-4:], "little")


def _malformed(text: str) -> pymysql.Error:
    return pymysql.err.OperationalError(2027, text)


def _text(error: Exception) -> str:
    arguments = error.args
    return str(arguments[1]) if len(arguments) > 1 else str(error)


def _code(error: Exception) -> int:
    """The server's error number, 0 for none."""
    code = error.args[0] if isinstance(error, pymysql.Error) and error.args else 0
    return code if isinstance(code, int) else 0
