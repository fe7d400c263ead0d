"""Logs in by the pure Python driver, for what mysqlclient cannot do: the dump protocol, and polls that never block.

The same requirements hold as for sessions: TLS is enforced before credentials are sent, a password is handed over to a
verified server only, every wait is bounded.
"""

from __future__ import annotations

import ssl
import struct
from typing import Any

import pymysql
from pymysql.connections import Connection
from pymysql.constants import CLIENT

from backend.common.outgoing.resolving import AddressError, hosts_to_connect
from backend.core.dialects import sessions_of
from backend.core.topology import Reach
from backend.gateway.connection.endpoint import NodeEndpoint, Tls, TlsMode, connect_limit_s
from backend.gateway.connection.errors import NOT_CONNECTED, ConnectError
from backend.gateway.connection.session_settings import ER_UNKNOWN_SYSTEM_VARIABLE
from backend.gateway.connection.tls import NATIVE, SHA2, is_verified, other_plugin, pem_file

FAULTS = (pymysql.Error, OSError, RuntimeError, ValueError, IndexError, AssertionError, struct.error)
"""What the driver raises, also for malformed packets."""


class LoginConnection(Connection):  # type: ignore[misc, unused-ignore]
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


def open_login(name: str, endpoint: NodeEndpoint, *, read_s: float, joins: bool = False) -> LoginConnection:
    """Connect to the first checked address that responds; one that `joins` takes several statements at once."""
    context = tls_context(endpoint.tls)
    is_named = context is not None and context.check_hostname
    try:
        hosts = hosts_to_connect(endpoint.host, endpoint.policy, is_proven_by_name=is_named)
        for host in hosts[:-1]:
            try:
                return _connect(host, endpoint, context, read_s, joins)
            except pymysql.err.OperationalError as error:
                if error.args[0] not in NOT_CONNECTED:
                    raise
        return _connect(hosts[-1], endpoint, context, read_s, joins)
    except AddressError as error:
        raise ConnectError(name, str(error), Reach.UNKNOWN) from error
    except FAULTS as error:
        raise ConnectError(name, f"login refused: {text_of(error)}", Reach.REFUSED) from error


def _connect(
    host: str, endpoint: NodeEndpoint, context: ssl.SSLContext | None, read_s: float, joins: bool
) -> LoginConnection:
    connection = LoginConnection(
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
        client_flag=CLIENT.MULTI_STATEMENTS if joins else 0,
        ssl=context,
        ssl_disabled=context is None,
    )
    _end_sync_wait(connection)
    return connection


def _end_sync_wait(connection: LoginConnection) -> None:
    """Where the caller's settings cannot have it, as for sessions."""
    statement = sessions_of(connection.get_server_info()).no_sync_wait
    try:
        if statement:
            connection.query(statement)
    except pymysql.Error as error:
        if error.args[0] != ER_UNKNOWN_SYSTEM_VARIABLE:
            connection._force_close()  # noqa: SLF001 - nothing was begun on it
            raise


def text_of(error: Exception) -> str:
    """What the driver says."""
    arguments = error.args
    return str(arguments[1]) if len(arguments) > 1 else str(error)
