"""The driver's errors as `NodeError`, without secrets and with what they tell about the node."""

from __future__ import annotations

import gc
import re
import socket

import MySQLdb

from backend.core.ports import NodeError
from backend.core.topology import TLS_REFUSED, Reach
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.tls import login_plugins, other_plugin

TIMED_OUT = frozenset({1969, 3024})
"""A statement reached the session's limit, on MariaDB and on MySQL."""
LOST = frozenset({2006, 2013, 2026, 2055, 1927, 1053, 1317}) | TIMED_OUT
"""Connection lost or statement interrupted: its outcome is unknown (client and server codes)."""

NOT_CONNECTED = frozenset({2002, 2003})
"""No server accepted the connection; another address of the same host may."""
_UNREACHED = NOT_CONNECTED | {2005, 2013, 2006}
_CREDENTIALS = frozenset({1045, 1044, 1698, 1130, 1129, 1862, 4151, 3118, 3955, 1524, 2059})
_TLS = 2026
_TLS_DEMANDED = 3159
"""The server has require_secure_transport, and the connection is not encrypted."""
_OTHER_PLUGIN = 5010
_PROBE_S = 0.3
_UNREADABLE = "(the driver could not read the error text)"
_ERRNO = re.compile(r"\(\d+( \"[^\"]*\")?\)")


class ConnectError(NodeError):
    """No session could be opened; `reach` is what that tells about the node."""

    def __init__(self, node: str, message: str, reach: Reach, *, code: int = 0) -> None:
        super().__init__(node, message, code=code)
        self.reach = reach

    @property
    def is_of_tls(self) -> bool:
        """Whether it is how to connect that was refused, by either end, and not the account."""
        return self.code == _TLS_DEMANDED or self.message.startswith(TLS_REFUSED)


class LostError(NodeError):
    """A session broke or stopped responding while a statement ran."""

    def __init__(self, node: str, message: str, *, code: int = 0, timed_out: bool = False) -> None:
        super().__init__(node, message, code=code, indeterminate=True)
        self.timed_out = timed_out


class NotAllowedError(NodeError):
    """A statement of a kind this session never sends; nothing was sent."""


def parts_of(error: MySQLdb.Error) -> tuple[int, str]:
    """Error number and text; number 0 where the driver has none.

    In the tuple of the driver (mysqlclient 2.3.1) an item may be missing, which ends the process that reads it. So the
    items are counted without being read, and one that is missing is replaced.
    """
    if len(gc.get_referents(error.args)) < len(error.args):
        error.args = (error.args[0], _UNREADABLE)
    arguments = error.args
    if len(arguments) >= 2 and isinstance(arguments[0], int):
        return arguments[0], str(arguments[1])
    return 0, str(error)


def _probe(host: str, port: int) -> Reach:
    """Distinguish a closed port from one that does not respond: the driver reports both as failed connects."""
    try:
        with socket.create_connection((host, port), timeout=_PROBE_S):
            return Reach.HUNG
    except ConnectionRefusedError:
        return Reach.DOWN
    except TimeoutError:
        return Reach.HUNG
    except OSError:
        return Reach.UNKNOWN


_SILENT = {
    Reach.DOWN: "connection refused: no server is listening on this port",
    Reach.HUNG: "timed out: the server is hung, overloaded or cut off, and may still accept writes",
    Reach.UNKNOWN: "host unreachable from the console; the server may still be running",
}


_CLIENT_REFUSED = (
    "the connection was cut off while it was opened: the server refused the client certificate, or it is hung, "
    "overloaded or cut off, and may still accept writes"
)
_ALERTS = ("unknown ca", "certificate expired", "bad certificate", "certificate unknown", "certificate required")
"""What a server answers to a client certificate, where the connection is not cut off before the answer is read."""
_TLS_REASONS = (
    *((f"alert {alert}", f"the server refused the client certificate: {alert}") for alert in _ALERTS),
    ("has expired", "the server's certificate has expired"),
    ("not yet valid", "the server's certificate is not valid yet"),
    ("Validation of SSL server certificate failed", "the server's certificate is not for {host}"),
    ("self-signed certificate", "no trusted authority signed the server's certificate"),
    ("unable to get local issuer", "no trusted authority signed the server's certificate"),
)


def _tls_refusal(text: str, host: str) -> str:
    """Why no session was opened, with the driver's own words."""
    reason = next((sentence for part, sentence in _TLS_REASONS if part in text), "")
    return f"{TLS_REFUSED}: {reason.format(host=host)} ({text})" if reason else f"{TLS_REFUSED}: {text}"


def connect_error(node: str, endpoint: NodeEndpoint, host: str, error: MySQLdb.Error) -> ConnectError:
    """The error of a session that could not be opened."""
    code, text = parts_of(error)
    if code == _OTHER_PLUGIN:  # the name in its text is what remained of another packet
        text = other_plugin(endpoint.tls, login_plugins(endpoint.tls))
    if code in _CREDENTIALS:
        return ConnectError(node, f"credentials refused for user {endpoint.user}: {text}", Reach.REFUSED, code=code)
    is_cut = "unexpected eof" in text or "reset by peer" in text
    if code == _TLS and "timed out" in text:
        # the server accepted, greeted, and stopped responding before the handshake ended: nothing was refused
        return ConnectError(node, _SILENT[Reach.HUNG], Reach.HUNG, code=code)
    if code == _TLS and not is_cut:
        return ConnectError(node, _tls_refusal(text, endpoint.host), Reach.REFUSED, code=code)
    if code in _UNREACHED or is_cut:
        reach = _probe(host, endpoint.port)
        is_doubtful = reach is Reach.HUNG and bool(endpoint.tls.cert_pem) and (is_cut or code not in NOT_CONNECTED)
        return ConnectError(node, _CLIENT_REFUSED if is_doubtful else _SILENT[reach], reach, code=code)
    return ConnectError(node, f"login refused: {_ERRNO.sub('', text)}", Reach.REFUSED, code=code)
