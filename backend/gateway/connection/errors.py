"""The driver's errors as `NodeError`, without secrets and with what they say about the node."""

from __future__ import annotations

import re
import socket

import MySQLdb

from backend.core.ports import NodeError
from backend.core.topology import Reach

LOST = frozenset({2006, 2013, 2026, 2055, 1927, 1053, 1317, 1969})
"""Connection gone or statement interrupted: what it did is not known (client and server codes)."""

NOT_CONNECTED = frozenset({2002, 2003})
"""Nobody took the connection: another address of the same host may."""
_UNREACHED = NOT_CONNECTED | {2005, 2013, 2006}
_CREDENTIALS = frozenset({1045, 1044, 1698, 1130, 1129, 1862, 4151, 1524, 2059})
_TLS = 2026
_PROBE_S = 0.3
_ERRNO = re.compile(r"\(\d+( \"[^\"]*\")?\)")


class ConnectError(NodeError):
    """No session could be made; `reach` says what that tells of the node."""

    def __init__(self, node: str, message: str, reach: Reach, *, code: int = 0) -> None:
        super().__init__(node, message, code=code)
        self.reach = reach


class LostError(NodeError):
    """A session broke or fell silent while a statement ran."""

    def __init__(self, node: str, message: str, *, code: int = 0, timed_out: bool = False) -> None:
        super().__init__(node, message, code=code, indeterminate=True)
        self.timed_out = timed_out


class NotAllowedError(NodeError):
    """A statement of a kind this session never sends; nothing was sent."""


def parts_of(error: MySQLdb.Error) -> tuple[int, str]:
    """Error number and text; number 0 where the driver names none."""
    arguments = error.args
    if len(arguments) >= 2 and isinstance(arguments[0], int):
        return arguments[0], str(arguments[1])
    return 0, str(error)


def _probe(host: str, port: int) -> Reach:
    """Tell a closed port from a silent one: the driver reports both as failed connects."""
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
    Reach.DOWN: "the port is closed: no server runs there",
    Reach.HUNG: "no answer in time: frozen, overloaded or cut off, and perhaps still writing",
    Reach.UNKNOWN: "the host cannot be reached from here, which says nothing about the server",
}


def connect_error(node: str, user: str, host: str, port: int, error: MySQLdb.Error) -> ConnectError:
    """Why a session could not be made."""
    code, text = parts_of(error)
    if code in _CREDENTIALS:
        return ConnectError(node, f"credentials refused for user {user}: {text}", Reach.REFUSED, code=code)
    is_cut = "unexpected eof" in text or "reset by peer" in text
    if code == _TLS and "timed out" in text:
        # it accepted, greeted, and fell silent before the handshake ended: that refuses nothing
        return ConnectError(node, _SILENT[Reach.HUNG], Reach.HUNG, code=code)
    if code == _TLS and not is_cut:
        return ConnectError(node, f"TLS refused: {text}", Reach.REFUSED, code=code)
    if code in _UNREACHED or is_cut:
        reach = _probe(host, port)
        return ConnectError(node, _SILENT[reach], reach, code=code)
    return ConnectError(node, f"login refused: {_ERRNO.sub('', text)}", Reach.REFUSED, code=code)
