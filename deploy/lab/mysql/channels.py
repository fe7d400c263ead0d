"""Channels of MySQL's families."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from deploy.lab.layout import Node
from deploy.lab.server.accounts import Account
from deploy.lab.server.coordinate import Coordinate
from deploy.lab.server.database import Row


def change_source(
    source: Node, account: Account, ca: Path, at: Coordinate | None, ignored: Iterable[int] = (), channel: str = ""
) -> str:
    """The statement that sets up a channel: at a place in the source's log, or by GTID where none is given.

    By GTID no server ids are ignored: MySQL refuses that, and skips what it has by its GTID. TLS is always on, because
    the account's login needs it.
    """
    options = [
        f"SOURCE_HOST='{source.host}'", f"SOURCE_PORT={source.port}", f"SOURCE_USER='{account.user}'",
        f"SOURCE_PASSWORD='{account.password}'", "SOURCE_CONNECT_RETRY=2", "SOURCE_HEARTBEAT_PERIOD=2",
        "SOURCE_SSL=1", f"SOURCE_SSL_CA='{ca}'", "SOURCE_SSL_VERIFY_SERVER_CERT=1",
    ]  # fmt: skip
    if at is None:
        options.append("SOURCE_AUTO_POSITION=1")
    else:
        ids = ",".join(str(one) for one in sorted(set(ignored)))
        options += [f"SOURCE_LOG_FILE='{at.file}'", f"SOURCE_LOG_POS={at.position}", f"IGNORE_SERVER_IDS=({ids})"]
    return f"CHANGE REPLICATION SOURCE TO {', '.join(options)} FOR CHANNEL '{channel}'"


_NAMES = {"Connection_name": "Channel_Name", "Gtid_IO_Pos": "Retrieved_Gtid_Set"}


def value_of(row: Row, column: str) -> Any:
    """What SHOW REPLICA STATUS says under the name that MariaDB gives the column."""
    if column == "Using_Gtid":
        return "Auto_Position" if int(row["Auto_Position"]) else "No"
    return row[_NAMES.get(column, column.replace("Master", "Source").replace("Slave", "Replica"))]
