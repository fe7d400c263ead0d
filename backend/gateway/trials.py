"""Tries an account, or a way to connect, on every node of a cluster before it is stored; reads only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.core.findings import Finding
from backend.core.ports import NodeError
from backend.core.topology import Reach
from backend.gateway import grants
from backend.gateway.connection.endpoint import CONNECT_S, NodeAccess, NodeEndpoint
from backend.gateway.connection.errors import ConnectError
from backend.gateway.connection.session import Session

_READ_S = 3.0
_LIMIT_S = CONNECT_S + 2 * _READ_S + 0.5


@dataclass(frozen=True, slots=True)
class Trial:
    """What one node answered: `is_reached` is False where no server responded, so that nothing is known.

    `reasons`: why the account cannot do its work there; empty where it can.
    """

    node: str
    is_reached: bool
    reasons: tuple[str, ...] = ()


def try_account(
    accesses: Sequence[NodeAccess], role: str, endpoint_of: Callable[[NodeAccess], NodeEndpoint]
) -> list[Trial]:
    """Log in on every node at once and compare the privileges with those that the role needs."""
    found: dict[str, Trial] = {}

    def ask(access: NodeAccess) -> None:
        found[access.ref.id] = _try_on(access.ref.name, role, endpoint_of(access))

    threads = [threading.Thread(target=ask, args=(access,), daemon=True) for access in accesses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_LIMIT_S)
    return [found.get(access.ref.id, Trial(access.ref.name, is_reached=False)) for access in accesses]


def _try_on(node: str, role: str, endpoint: NodeEndpoint) -> Trial:
    session = Session(node, endpoint, read_only=True, read_s=_READ_S)
    try:
        rows = session.run("SHOW GRANTS")
        account = str(session.run("SELECT CURRENT_USER() AS me")[0]["me"])
    except ConnectError as error:
        is_refused = error.reach is Reach.REFUSED
        return Trial(node, is_reached=is_refused, reasons=(error.message,) if is_refused else ())
    except NodeError as error:
        return Trial(node, is_reached=True, reasons=(f"its privileges could not be read: {error.message}",))
    finally:
        session.close()
    held = grants.parse(str(value) for row in rows for value in row.values())
    return Trial(node, is_reached=True, reasons=tuple(_missing(grants.check(node, role, account, held))))


def _missing(findings: Sequence[Finding]) -> list[str]:
    return [f"{finding.message} {finding.remedy}".strip() for finding in findings if finding.refuses]
