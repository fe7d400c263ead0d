"""What one recorded node answers now: its own names, and positions that move with the time."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from bench.fleet.stand_in.changes import Channel, Probes, Writes
from bench.fleet.stand_in.protocol import Answer
from bench.fleet.stand_in.record import RECORDING

RECORDED: dict[str, Any] = json.loads(RECORDING.read_text())
VERSION = str(RECORDED["version"])
FILE, FIRST_OFFSET = "binlog.000002", 325
EVENTS = ((42, "Gtid", "BEGIN GTID 0-11-{n}"), (59, "Annotate_rows", "INSERT INTO bank.z VALUES (NULL,'x')"),
          (47, "Table_map", "table_id: 26 (bank.z)"), (40, "Write_rows_v1", "table_id: 26 flags: STMT_END_F"),
          (31, "Xid", "COMMIT /* xid={n} */"))  # fmt: skip
GROUP_BYTES = sum(size for size, _, _ in EVENTS)
_IDENTITY = ("server_id", "connection_id", "hostname", "port", "wsrep_node_name", "datadir")
_TEXT = 253


@dataclass(frozen=True)
class Address:
    """A node of a cluster: `ids` are the server ids of its cluster, `source` is where its channel reads from.

    `writes` are those of its link, `probes` those of its cluster.
    """

    host: str
    port: int
    index: int
    hosts: tuple[str, ...]
    ids: tuple[int, ...]
    state_uuid: str
    source: tuple[str, int] | None
    writes: Writes
    probes: Probes


class Node:
    """Answers by statement; `count` transactions were committed by now."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.channel = Channel() if address.source else None
        self._answers = {sql: self._answer(sql, given) for sql, given in RECORDED["answers"].items()}
        self._answers["SHOW WARNINGS"] = Answer([("Level", _TEXT), ("Code", _TEXT), ("Message", _TEXT)], [])

    @property
    def count(self) -> int:
        """Transactions committed since the recording."""
        return self.address.writes.count

    def change(self, sql: str) -> bool:
        """Whether the statement changed what this node answers: its channel, or a probe."""
        return bool(self.channel and self.channel.change(sql)) or self.address.probes.change(sql)

    def answer_anew(self) -> None:
        """Make the answer about the channel again, which has changed."""
        found = {sql: given for sql, given in RECORDED["answers"].items() if "SLAVES" in sql}
        self._answers |= {sql: self._answer(sql, given) for sql, given in found.items()}

    def answer(self, sql: str) -> Answer | None:
        """The answer to one statement, None where there is none."""
        if sql.startswith(("SHOW BINLOG EVENTS", "SHOW RELAYLOG EVENTS")):
            return self._events(sql)
        if sql.startswith("SELECT @@server_id AS server_id, CONNECTION_ID()"):
            own = self._named() | {"connection_id": "1"}
            return Answer([(name, _TEXT) for name in _IDENTITY], [[own[name] for name in _IDENTITY]])
        return self._answers.get(sql) or self.address.probes.answer(sql)

    def moving(self) -> dict[str, str]:
        """What takes the place of the marks in moving rows."""
        count = self.count
        offset = str(FIRST_OFFSET + GROUP_BYTES * count)
        return {"offset": offset, "count": str(count), "now": f"{time.time():.6f}"}

    def _answer(self, sql: str, given: dict[str, Any]) -> Answer:
        is_without = self.channel is None or self.channel.is_removed
        rows = [] if "SLAVES" in sql and is_without else given["rows"]
        if "Binlog Dump" in sql and self.channel is None:
            rows = rows[-1:]  # the ends of channels are sources, too; no other node has a reader
        columns = [column[0] for column in given["columns"]]
        return Answer(given["columns"], [self._row(sql, columns, row) for row in rows])

    def _row(self, sql: str, columns: list[str], row: list[str | None]) -> list[str | None]:
        own = self._named() if columns[0] == "Variable_name" else self._by_column()
        if columns[0] == "Variable_name":
            return [row[0], own.get(str(row[0]), row[1])]
        if columns[0] == "Log_name" and row[0] == FILE:
            return [FILE, "{offset}"]
        return [own.get(name, value) for name, value in zip(columns, row, strict=True)]

    def _named(self) -> dict[str, str]:
        address = self.address
        return {
            "hostname": f"host-{address.host}",
            "port": str(address.port),
            "server_id": str(address.ids[address.index]),
            "wsrep_node_name": address.host,
            "datadir": "/var/lib/mysql/",
            **dict.fromkeys(("gtid_slave_pos", "gtid_binlog_pos", "gtid_binlog_state"), "0-11-{count}"),
            **dict.fromkeys(("wsrep_local_state_uuid", "wsrep_cluster_state_uuid"), address.state_uuid),
            **dict.fromkeys(("wsrep_last_committed", "wsrep_received"), "{count}"),
            "wsrep_received_bytes": "{offset}",
            "wsrep_cluster_size": str(len(address.ids)),
            "wsrep_incoming_addresses": ",".join(f"{host}:{address.port}" for host in address.hosts),
            "wsrep_local_index": str(address.index),
        }

    def _by_column(self) -> dict[str, str]:
        host, server_id = self.address.source or ("", 0)
        return {
            "now_s": "{now}",
            "Position": "{offset}",
            "Master_Host": host,
            "Master_Port": str(self.address.port),
            "Master_Server_Id": str(server_id),
            **(self.channel.columns() if self.channel else {}),
            **dict.fromkeys(("Read_Master_Log_Pos", "Exec_Master_Log_Pos", "Relay_Log_Pos"), "{offset}"),
            "Replicate_Ignore_Server_Ids": ", ".join(map(str, self.address.ids)),
            "Gtid_Slave_Pos": "0-11-{count}",
        }

    def _events(self, sql: str) -> Answer:
        """The groups from an offset on, at most as many events as are asked for; a relay log's are skipped by number.

        Every group is of the first server of the link, which alone writes.
        """
        tokens = sql.replace(",", " ").split()
        start, limit = int(tokens[tokens.index("FROM") + 1]), int(tokens[-1])
        skip = int(tokens[-2]) if tokens[-3] == "LIMIT" else 0
        first = max(0, start - FIRST_OFFSET) // GROUP_BYTES + skip // len(EVENTS)
        groups = range(first, min(self.count, first + limit // len(EVENTS) + 2))
        rows = [row for number in groups for row in _group(number, self.address.writes.server_id)]
        columns = RECORDED["answers"]["SHOW BINLOG EVENTS"]["columns"]
        return Answer(columns, rows[skip % len(EVENTS) :][:limit])


def _group(number: int, server_id: int) -> list[list[str | None]]:
    offset, rows = FIRST_OFFSET + GROUP_BYTES * number, []
    for size, kind, info in EVENTS:
        end = offset + size
        rows.append([FILE, str(offset), kind, str(server_id), str(end), info.format(n=number + 1)])
        offset = end
    return rows  # type: ignore[return-value]
