"""Does an account get in? Used for the replication account, which may do little else."""

from __future__ import annotations

from backend.core.ports import NodeError
from backend.gateway.endpoint import NodeEndpoint
from backend.gateway.session import Session


def try_login(name: str, endpoint: NodeEndpoint) -> str | None:
    """None where the account logs in with the TLS demanded, else the server's or driver's reason."""
    session = Session(name, endpoint, read_only=False)
    try:
        session.open()
    except NodeError as error:
        return error.message
    finally:
        session.close()
    return None
