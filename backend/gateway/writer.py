"""A session that may change replication on one node. It never reconnects: its server was verified once.

An unknown outcome is raised as `indeterminate`; this module never decides to send again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence

from backend.core.dialects.quoting import secret_literal
from backend.core.facts.server_identity import IDENTITY_VARIABLES
from backend.core.ports import NodeError, Row, RowStatement, SchemaStatement
from backend.core.topology import NodeRef
from backend.gateway.account_writer import apply_account_statement
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.connection.errors import LostError, NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.connection.statement_filter import is_changing, is_measurement, is_reading
from backend.gateway.row_writer import SETTINGS, apply_transaction
from backend.gateway.schema_writer import apply_schema_change

KILL_WAIT_S = 10.0
IDENTITY_S = 3.0
"""How long a session waits for its server's identity: one that was cut off unnoticed must not hold up a run."""
WARNINGS_S = 0.5
"""The minimum time for reading warnings, however much of its time the statement used."""
_MARK = re.compile(r"\{\{secret:([a-z_]{1,32})\}\}")
_UNKNOWN_SESSION = 1094
_WHO = "SELECT @@server_id AS server_id, CONNECTION_ID() AS connection_id, " + ", ".join(
    f"COALESCE(@@{part}, '') AS {part}" for part in IDENTITY_VARIABLES
)
"""It uses no table, so that a node that rejects queries answers it, too. SHOW, which a poll uses, has '' for NULL."""


class Writer:
    """Implements `NodeWriter`."""

    def __init__(self, node: NodeRef, endpoint: NodeEndpoint) -> None:
        self.node = node
        self._session = Session(node.name, endpoint, read_only=False, counts_found=True)
        self._session.open()
        self._is_for_rows = False

    def identity(self) -> Mapping[str, str]:
        """The identity of the server that this session reached; LostError where that does not answer in time."""
        return {name: str(value) for name, value in self.query(_WHO, timeout_s=IDENTITY_S)[0].items()}

    def execute(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> Sequence[str]:
        """Send one changing statement; `LEVEL CODE: TEXT` of each warning, oldest first."""
        if not is_changing(sql):
            raise NotAllowedError(self.node.name, "a run may not send statements of this kind; nothing was sent")
        filled = self._fill(sql, secrets)
        until = time.monotonic() + timeout_s
        try:
            if not self._change(filled, timeout_s):
                return []
            rows = self._run("SHOW WARNINGS", max(WARNINGS_S, until - time.monotonic()))
        except NodeError as error:
            raise _scrubbed(error, secrets) from None
        texts = [f"{row['Level']} {row['Code']}: {row['Message']}" for row in rows]
        return [_scrub(text, secrets) for text in texts]

    def commit_ms(self, sql: str, *, timeout_s: float) -> float:
        """Write one row of a measurement; the milliseconds until its commit was acknowledged."""
        if not is_measurement(sql):
            raise NotAllowedError(self.node.name, "a measurement writes to its own table only; nothing was sent")
        began = time.perf_counter()
        self._run(sql, timeout_s)
        return (time.perf_counter() - began) * 1000

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Rows of one reading statement on the same session."""
        if not is_reading(sql):
            raise NotAllowedError(self.node.name, "a read-back may only use SHOW and SELECT; nothing was sent")
        return self._run(sql, timeout_s)

    def apply_transaction(self, statements: Sequence[RowStatement], *, marker: str, timeout_s: float) -> None:
        """Change rows of an application, all or none; no other method sends such statements."""
        self._require_open()
        if not self._is_for_rows:
            self._session.run(SETTINGS)
            self._is_for_rows = True
        apply_transaction(self._session, statements, marker, timeout_s)

    def apply_schema_change(self, change: SchemaStatement, *, marker: str, timeout_s: float) -> None:
        """Change a table definition of an application; no other method sends such statements."""
        self._require_open()
        self._is_for_rows = False
        apply_schema_change(self._session, change, timeout_s)
        self.apply_transaction((), marker=marker, timeout_s=timeout_s)

    def apply_account_statement(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> None:
        """Create an account of the console or grant what it needs; no other method sends such statements."""
        self._require_open()
        try:
            apply_account_statement(self._session, sql, lambda text: self._fill(text, secrets), timeout_s)
        except NodeError as error:
            raise _scrubbed(error, secrets) from None

    def kill_session(self, connection_id: int) -> bool:
        """Kill a predecessor's session of the same account; True once it has ended.

        A connection id of another account shows that, too, and its session is not killed: two open sessions never
        share an id, so a server that assigned it to another account (ids start again with a restart) has ended the
        predecessor's. The account of a node is set at registration and does not change during a run.
        """
        if connection_id == self._session.connection_id:
            raise NotAllowedError(self.node.name, "a session may not kill itself; nothing was sent")
        deadline = time.monotonic() + KILL_WAIT_S
        if not self._is_own(connection_id):
            return True
        self._kill(connection_id)
        while time.monotonic() < deadline:
            if not self._is_own(connection_id):
                return True
            time.sleep(0.05)
        return False

    def close(self) -> None:
        """End the session."""
        self._session.close()

    def _run(self, sql: str, timeout_s: float | None) -> Sequence[Row]:
        self._require_open()
        return self._session.run(sql, timeout_s=timeout_s)

    def _change(self, sql: str, timeout_s: float) -> int:
        """Send it; the number of its warnings, which the server tells with its answer."""
        self._require_open()
        return self._session.change(sql, timeout_s=timeout_s)[1]

    def _require_open(self) -> None:
        if not self._session.is_open:
            raise LostError(self.node.name, "the session has ended; open a new one and read the state again")

    def _fill(self, sql: str, secrets: Mapping[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            if match[1] not in secrets:
                raise NotAllowedError(self.node.name, f"secret {match[1]!r} is unknown; nothing was sent")
            return secret_literal(secrets[match[1]])

        return _MARK.sub(value, sql)

    def _is_own(self, connection_id: int) -> bool:
        """Whether the session is open and of this account."""
        mine = "SELECT USER FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()"
        rows = self.query(
            # as the process list writes it: USER() cut at its @ is another account where the name contains one
            f"SELECT USER AS user, ({mine}) AS me FROM information_schema.PROCESSLIST WHERE ID = {int(connection_id)}"
        )
        return any(row["user"] == row["me"] for row in rows)

    def _kill(self, connection_id: int) -> None:
        try:
            self._run(f"KILL {int(connection_id)}", None)
        except NodeError as error:
            if error.code != _UNKNOWN_SESSION:
                raise


def _scrub(text: str, secrets: Mapping[str, str]) -> str:
    for value in secrets.values():
        for form in {value, secret_literal(value)} - {""}:
            text = text.replace(form, "***")
    return text


def _scrubbed(error: NodeError, secrets: Mapping[str, str]) -> NodeError:
    """The same error with every secret masked: servers quote the statement in their error."""
    message = _scrub(error.message, secrets)
    if isinstance(error, LostError):
        return LostError(error.node, message, code=error.code, timed_out=error.timed_out)
    return NodeError(error.node, message, code=error.code, indeterminate=error.indeterminate)
