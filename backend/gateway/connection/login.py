"""Checks whether an account can log in and whether a server accepts writes, by trying; neither leaves a trace."""

from __future__ import annotations

from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.errors import LostError
from backend.gateway.connection.session import Session


def try_login(name: str, endpoint: NodeEndpoint) -> str | None:
    """None where the account logs in with the TLS required, else the server's or driver's reason."""
    session = Session(name, endpoint, read_only=False)
    try:
        session.open()
    except NodeError as error:
        return error.message
    finally:
        session.close()
    return None


def try_write(name: str, endpoint: NodeEndpoint) -> int:
    """The error number of a write of no row, 0 where it is accepted.

    For an account without any grant to write: a server with `read_only` returns 1290 before it
    checks grants, one without it 1142 (observed on 10.11.19). Raises NodeError where it does not respond.
    """
    session = Session(name, endpoint, read_only=False)
    try:
        session.run("DELETE FROM hawser.probe WHERE 1=0")
    except LostError:
        raise
    except NodeError as error:
        if error.code == 0:
            raise
        return error.code
    finally:
        session.close()
    return 0
