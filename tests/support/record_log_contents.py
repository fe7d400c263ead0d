"""Records what each kind of content looks like in the two logs that a search compares.

`python -m tests.support.record_log_contents tests/core/binlog/recorded/mariadb-10.11.json`, with a running lab
(`HAWSER_LAB_HOME`) of 3+1 nodes or more and a channel db-a1 -> db-b1. Run once for each release.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from deploy.lab.api import Lab
from tests.gateway.orphan_statements import wait_until_applied
from tests.support.log_contents import KINDS, By, Kind
from tests.support.waiting import wait_for

NODES = {By.SOURCE: "db-a1", By.CANDIDATE: "db-a2", By.THIRD: "db-a3"}
READ = {"candidate": NODES[By.CANDIDATE], "replica": "db-b1"}
Rows = list[list[object]]
_MADE = r"""SELECT TABLE_NAME AS n, TABLE_TYPE AS t FROM information_schema.TABLES
 WHERE TABLE_SCHEMA='bank' AND TABLE_NAME LIKE 'k\_%' ORDER BY TABLE_TYPE='SEQUENCE'"""


def run_load(lab: Lab, kind: Kind, node: str, numbers: Iterable[int]) -> None:
    """The load of one kind, each repetition in a session of its own."""
    for n in numbers:
        with lab.admin(node, 30) as connection:
            for statement in kind.load:
                cursor = connection.cursor()
                cursor.execute(statement.format(n=n) if "{n}" in statement else statement)
                cursor.fetchall()
                cursor.close()
    for statement in kind.restore:
        lab.sql(node, statement)


def made(lab: Lab, node: str) -> list[tuple[str, str]]:
    """Tables and sequences of the kinds on a node, with what they are; tables first, as they may use a sequence."""
    return [(row["n"], row["t"]) for row in lab.sql(node, _MADE)]


def drop_all(lab: Lab, node: str) -> None:
    """Everything that the kinds have made."""
    for name, what in made(lab, node):
        lab.sql(node, f"DROP {'SEQUENCE' if what == 'SEQUENCE' else 'TABLE'} bank.{name}")
    lab.sql(node, "DROP PROCEDURE IF EXISTS bank.k_add")
    lab.sql(node, "DROP EVENT IF EXISTS bank.k_event")


def _ends(lab: Lab) -> dict[str, tuple[str, int]]:
    """Where the logs end, once both nodes have all that the source has."""
    wait_until_applied(lab, READ["candidate"])
    wait_for(lambda: _has_all(lab), "the replica to apply everything", 30)
    rows = {name: lab.sql(name, "SHOW MASTER STATUS")[0] for name in READ.values()}
    return {name: (row["File"], row["Position"]) for name, row in rows.items()}


def _has_all(lab: Lab) -> bool:
    source, replica = lab.sql("db-a1", "SHOW MASTER STATUS")[0], lab.sql(READ["replica"], "SHOW SLAVE STATUS")[0]
    return (source["File"], source["Position"]) == (replica["Relay_Master_Log_File"], replica["Exec_Master_Log_Pos"])


def _rows(lab: Lab, node: str, since: tuple[str, int]) -> Rows:
    events = lab.sql(node, f"SHOW BINLOG EVENTS IN '{since[0]}' FROM {since[1]} LIMIT 500")
    return [[e["Pos"], e["Event_type"], e["Server_id"], e["End_log_pos"], e["Info"]] for e in events]


def _wait_applied(lab: Lab) -> None:
    """The three nodes hold the same, and the replica all of it."""

    def is_applied() -> bool:
        committed = {lab.sql(one, "SHOW STATUS LIKE 'wsrep_last_committed'")[0]["Value"] for one in NODES.values()}
        (channel,), end = lab.sql(READ["replica"], "SHOW ALL SLAVES STATUS"), lab.sql("db-a1", "SHOW MASTER STATUS")[0]
        applied = (channel["Relay_Master_Log_File"], channel["Exec_Master_Log_Pos"])
        return len(committed) == 1 and applied == (end["File"], end["Position"])

    wait_for(is_applied, "the replica to hold all")


def record(lab: Lab, kind: Kind) -> dict[str, Rows]:
    """The events of two repetitions in the logs of the candidate and of the replica."""
    for statement in kind.tables:
        lab.sql("db-a1", statement)
    since = _ends(lab)
    run_load(lab, kind, NODES[kind.by], range(2))
    _ends(lab)
    found = {name: _rows(lab, node, since[node]) for name, node in READ.items()}
    drop_all(lab, "db-a1")
    return found


def main(target: Path) -> None:
    """Record every kind; what was recorded before stays."""
    lab, recorded = Lab(), {}
    drop_all(lab, "db-a1")
    for kind in KINDS:
        recorded[kind.key] = record(lab, kind)
        target.write_text(
            json.dumps(recorded, separators=(",", ":"), ensure_ascii=False).replace("],[", "],\n[") + "\n"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
