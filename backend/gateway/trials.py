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

    `reasons`: why the account cannot do its work there; empty where it can. `is_of_tls`: because of how to connect.
    """

    node: str
    is_reached: bool
    reasons: tuple[str, ...] = ()
    is_of_tls: bool = False


def try_account(
    accesses: Sequence[NodeAccess], role: str, endpoint_of: Callable[[NodeAccess], NodeEndpoint]
) -> list[Trial]:
    """Log in on every node at once and compare the privileges with those that the role needs."""
    return _on_each(accesses, endpoint_of, lambda session: _lacks(session, role))


def try_login(accesses: Sequence[NodeAccess], endpoint_of: Callable[[NodeAccess], NodeEndpoint]) -> list[Trial]:
    """Log in on every node at once, whatever the account may do there."""
    return _on_each(accesses, endpoint_of, _log_in)


def _on_each(
    accesses: Sequence[NodeAccess],
    endpoint_of: Callable[[NodeAccess], NodeEndpoint],
    reasons_of: Callable[[Session], tuple[str, ...]],
) -> list[Trial]:
    found: dict[str, Trial] = {}

    def ask(access: NodeAccess) -> None:
        found[access.ref.id] = _try_on(access.ref.name, endpoint_of(access), reasons_of)

    threads = [threading.Thread(target=ask, args=(access,), daemon=True) for access in accesses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_LIMIT_S)
    return [found.get(access.ref.id, Trial(access.ref.name, is_reached=False)) for access in accesses]


def _try_on(node: str, endpoint: NodeEndpoint, reasons_of: Callable[[Session], tuple[str, ...]]) -> Trial:
    session = Session(node, endpoint, read_only=True, read_s=_READ_S)
    try:
        return Trial(node, is_reached=True, reasons=reasons_of(session))
    except ConnectError as error:
        if error.reach is not Reach.REFUSED:
            return Trial(node, is_reached=False)
        return Trial(node, is_reached=True, reasons=(error.message,), is_of_tls=error.is_of_tls)
    finally:
        session.close()


def _log_in(session: Session) -> tuple[str, ...]:
    try:
        session.open()
    except ConnectError:
        raise
    except NodeError:
        pass  # the account was accepted: what the server cannot do else is none of its faults
    return ()


def _lacks(session: Session, role: str) -> tuple[str, ...]:
    """Which privileges of the role the account lacks, each with its remedy."""
    try:
        rows = session.run("SHOW GRANTS")
        account = str(session.run("SELECT CURRENT_USER() AS me")[0]["me"])
    except ConnectError:
        raise
    except NodeError as error:
        return (f"its privileges could not be read: {error.message}",)
    held = grants.parse(str(value) for row in rows for value in row.values())
    return tuple(_missing(grants.check(session.name, role, account, held)))


def _missing(findings: Sequence[Finding]) -> list[str]:
    return [f"{finding.message} {finding.remedy}".strip() for finding in findings if finding.refuses]
