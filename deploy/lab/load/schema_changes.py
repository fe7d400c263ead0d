"""Schema changes during the load: tables of a site's own, and one column that comes and goes on a shared table."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from deploy.lab.layout import Node
from deploy.lab.load.ledger import Ledger
from deploy.lab.load.writer import Counters
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import SERVER_ERRORS, connect_tcp
from deploy.lab.server.schema import SCHEMA

HAS_COLUMN = (
    "SELECT COUNT(*) FROM information_schema.columns"
    " WHERE table_schema = 'bank' AND table_name = 'transfers' AND column_name = 'extra'"
)


class SchemaChanger:
    """One statement every `every` seconds on one site. Only one site may change the shared table (`shared`)."""

    def __init__(
        self,
        name: str,
        nodes: list[Node],
        account: Account,
        folder: Path,
        *,
        every: float,
        shared: bool,
        may_change: Callable[[], bool] = lambda: True,
        enter: Callable[[], None] = lambda: None,
        ca: Path | None = None,
    ) -> None:
        self.counters = Counters(name, nodes[0].site)
        self._enter = enter
        self._nodes = itertools.cycle(nodes)
        self._account, self._ca = account, ca
        self._ledger = Ledger(folder, name, nodes[0].site)
        self._every = every
        self._may_change = may_change
        self._shared = shared
        self._number = 0

    def run(self, stop: threading.Event) -> None:
        """The changer's thread; see `Writer.run`."""
        self._enter()
        while not stop.wait(self._every):
            if self._may_change():
                self._step()
        self._ledger.close()

    def _step(self) -> None:
        node = next(self._nodes)
        self.counters.node = node.name
        sql = ""
        try:
            with closing(connect_tcp(node, self._account, seconds=10, database=SCHEMA, ca=self._ca)) as connection:
                cursor = connection.cursor()
                cursor.execute(HAS_COLUMN)
                sql = self._statement(present=bool(cursor.fetchone()[0]))
                cursor.execute(sql)
        except SERVER_ERRORS as error:
            # A schema change whose connection is lost may or may not have happened; all nodes must still agree.
            self.counters.indeterminate += 1
            self.counters.last_error = str(error)
            self._ledger.note({"sql": sql, "node": node.name, "error": str(error)})
            return
        self.counters.acknowledged += 1
        self._ledger.note({"sql": sql, "node": node.name, "error": ""})

    def _statement(self, *, present: bool) -> str:
        """In turn: create a table, change it, change the shared table (where this site may)."""
        turns = 3 if self._shared else 2
        round_number, turn = divmod(self._number, turns)
        self._number += 1
        table = f"ddl_{self.counters.name.replace('-', '_')}_{round_number}"
        if turn == 0:
            return f"CREATE TABLE {table} (id INT PRIMARY KEY, note VARCHAR(50))"
        if turn == 1:
            return f"ALTER TABLE {table} ADD COLUMN later INT NULL"
        return f"ALTER TABLE transfers {'DROP COLUMN extra' if present else 'ADD COLUMN extra INT NULL'}"
