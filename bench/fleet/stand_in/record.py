"""Records what a real node answers to the statements of a poll: `python -m bench.fleet.stand_in.record LAB NODE`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pymysql

from backend.core.dialects import dialect_to_watch
from backend.gateway.polling.poll import all_queries
from deploy.lab.api import Lab

RECORDING = Path(__file__).with_name("recording.json")


def statements(version: str) -> list[str]:
    """What a poll asks of a MariaDB node."""
    dialect = dialect_to_watch("mariadb", version)
    return [*all_queries(dialect, files=True), dialect.counter_query()]


def record(lab: Lab, name: str) -> dict[str, Any]:
    """The version and each answer: its columns with the driver's number of their type, and its rows as text."""
    node, account = lab.node(name), lab.accounts["monitor"]
    connection = pymysql.connect(host=node.host, port=node.port, user=account.user, password=account.password)
    version = str(connection.get_server_info()).removeprefix("5.5.5-")
    answers = {sql: _answer(connection, sql) for sql in statements(version)}
    end = answers[dialect_to_watch("mariadb", version).binlog_end_query()]["rows"][0]
    events = f"SHOW BINLOG EVENTS IN '{end[0]}' LIMIT 1"
    answers["SHOW BINLOG EVENTS"] = {"columns": _answer(connection, events)["columns"], "rows": []}
    return {"version": version, "answers": answers}


def _answer(connection: Any, sql: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        rows = [[None if value is None else str(value) for value in row] for row in cursor.fetchall()]
        return {"columns": [[column[0], column[1]] for column in cursor.description], "rows": rows}


if __name__ == "__main__":
    RECORDING.write_text(json.dumps(record(Lab(Path(sys.argv[1])), sys.argv[2]), indent=1) + "\n")
