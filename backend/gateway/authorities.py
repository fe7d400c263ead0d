"""Which of several authorities verifies the certificate that each node shows: a login for each, reads only."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import CONNECT_S, NodeAccess
from backend.gateway.connection.session import Session

_READ_S = 3.0
_LIMIT_S = CONNECT_S + _READ_S + 0.5


def verifying_authorities(accesses: Sequence[NodeAccess], authorities: Sequence[str]) -> Mapping[str, frozenset[int]]:
    """By node id, the numbers of the authorities with which a session opens; empty where none is known to."""
    found: dict[str, set[int]] = {access.ref.id: set() for access in accesses}

    def ask(access: NodeAccess, number: int) -> None:
        if _opens(access, authorities[number]):
            found[access.ref.id].add(number)

    pairs = [(access, number) for access in accesses for number in range(len(authorities))]
    threads = [threading.Thread(target=ask, args=pair, daemon=True) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_LIMIT_S)
    return {node: frozenset(numbers) for node, numbers in found.items()}


def _opens(access: NodeAccess, authority: str) -> bool:
    endpoint = replace(access.monitor, tls=replace(access.monitor.tls, ca_pem=authority), newest=None)
    session = Session(access.ref.name, endpoint, read_only=True, read_s=_READ_S)
    try:
        session.open()
    except NodeError:
        return False
    finally:
        session.close()
    return True
