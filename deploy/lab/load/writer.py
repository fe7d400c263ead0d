"""One writer: a client of one site that survives its servers."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.lab.layout import Node
from deploy.lab.load.ledger import Ledger, Outcome
from deploy.lab.load.transactions import new_write, statements
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import SERVER_ERRORS, connect_tcp
from deploy.lab.server.schema import SCHEMA

# A server that answers COMMIT with one of these has rolled back: deadlock or failed certification, lock wait,
# read-only.
# Every other answer, and none at all, leaves open whether the cluster has the transaction.
ROLLED_BACK = {1213, 1205, 1290, 1792}
NODE_PENALTY = 8.0
PAUSE_AFTER_FAILURE = 0.25
REST_S = 0.25
STATEMENT_SECONDS = 4


def commit_outcome(error: Exception) -> Outcome:
    """What an error in answer to COMMIT says about the transaction."""
    return "failed" if error.args and error.args[0] in ROLLED_BACK else "indeterminate"


@dataclass
class Counters:
    """What a writer has done so far."""

    name: str
    site: str
    node: str = ""
    acknowledged: int = 0
    failed: int = 0
    indeterminate: int = 0
    last_error: str = ""
    recent: list[float] = field(default_factory=list)


class Writer:
    """Writes until told to stop, while `may_write` says so. `nodes` are its site's, the preferred one first.

    With a `ca` its connections use TLS, which MySQL's login needs.
    """

    def __init__(
        self,
        name: str,
        nodes: list[Node],
        account: Account,
        folder: Path,
        rate: float,
        may_write: Callable[[], bool] = lambda: True,
        enter: Callable[[], None] = lambda: None,
        ca: Path | None = None,
    ) -> None:
        self.counters = Counters(name, nodes[0].site)
        self._enter = enter
        self._nodes = nodes
        self._account, self._ca = account, ca
        self._ledger = Ledger(folder, name, nodes[0].site)
        self._pause = 1.0 / rate
        self._may_write = may_write
        self._rng = random.Random()
        self._connection: Any = None
        self._avoid: dict[str, float] = {}

    def run(self, stop: threading.Event) -> None:
        """The writer's thread. `enter` goes first: it moves the thread to where the clients of its site stand."""
        self._enter()
        due = time.monotonic()
        while not stop.is_set():
            if not self._may_write():
                self._rest(stop)
            elif not self._step():
                stop.wait(PAUSE_AFTER_FAILURE)
            due = max(due + self._pause, time.monotonic() - 1.0)
            stop.wait(max(0.0, due - time.monotonic()))
        self._drop()
        self._ledger.close()

    def _rest(self, stop: threading.Event) -> None:
        """Another site is written on: no connection is kept, and none is refused for what happened before."""
        self._drop()
        self._avoid.clear()
        self.counters.node = ""
        stop.wait(REST_S)

    def _step(self) -> bool:
        """One write; True if it was acknowledged."""
        write_id, parts = new_write(self._rng, self.counters.name)
        try:
            connection = self._connected()
            cursor = connection.cursor()
            for sql, arguments in statements(write_id, parts, self.counters.node):
                cursor.execute(sql, arguments)
        except SERVER_ERRORS as error:
            # COMMIT was never sent: the server rolls back, whatever it answered.
            self._ledger.intend(write_id, self.counters.node, parts)
            self._record_failure(write_id, "failed", error)
            return False
        self._ledger.intend(write_id, self.counters.node, parts)
        try:
            connection.commit()
        except SERVER_ERRORS as error:
            self._record_failure(
                write_id,
                "failed" if error.args[:1] and error.args[0] in ROLLED_BACK else "indeterminate",
                error,
            )
            return False
        self._ledger.record_outcome(write_id, "acknowledged")
        self.counters.acknowledged += 1
        self.counters.recent = [*self.counters.recent[-199:], time.monotonic()]
        return True

    def _record_failure(self, write_id: str, outcome: Outcome, error: Exception) -> None:
        self._ledger.record_outcome(write_id, outcome, str(error))
        if outcome == "failed":
            self.counters.failed += 1
        else:
            self.counters.indeterminate += 1
        self.counters.last_error = str(error)
        if not (error.args and error.args[0] in ROLLED_BACK - {1290}):
            self._avoid[self.counters.node] = time.monotonic() + NODE_PENALTY
        self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(*SERVER_ERRORS):  # closing a connection to a dead server may raise; it is closed
                self._connection.close()
            self._connection = None

    def _connected(self) -> Any:
        if self._connection is None:
            node = self._choose()
            self.counters.node = node.name
            self._connection = connect_tcp(node, self._account, seconds=STATEMENT_SECONDS, database=SCHEMA, ca=self._ca)
        return self._connection

    def _choose(self) -> Node:
        """The first node that did not fail lately; if all did, the one whose failure is oldest."""
        now = time.monotonic()
        fresh = [node for node in self._nodes if self._avoid.get(node.name, 0.0) <= now]
        return fresh[0] if fresh else min(self._nodes, key=lambda node: self._avoid[node.name])
