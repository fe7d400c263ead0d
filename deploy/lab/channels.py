"""The link's two replication channels: how they are set up, and where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deploy.lab.layout import Node, Settings
from deploy.lab.mysql.channels import change_source, value_of
from deploy.lab.server.accounts import Account
from deploy.lab.server.coordinate import Coordinate
from deploy.lab.server.database import Row, rows
from deploy.lab.server.statements import forms

# Error numbers and texts of a channel that an onlooker wants to see.
STATE_COLUMNS = (
    "Connection_name", "Master_Host", "Master_Port", "Slave_IO_Running", "Slave_SQL_Running", "Master_Log_File",
    "Read_Master_Log_Pos", "Relay_Master_Log_File", "Exec_Master_Log_Pos", "Using_Gtid", "Gtid_IO_Pos",
    "Seconds_Behind_Master", "Last_IO_Errno", "Last_IO_Error", "Last_SQL_Errno", "Last_SQL_Error",
)  # fmt: skip


def coordinate(connection: Any) -> Coordinate:
    """Where the server's binlog ends now."""
    status = rows(connection, forms(connection).log_end)[0]
    return Coordinate(status["File"], int(status["Position"]))


def change_master(settings: Settings, source: Node, at: Coordinate, own: list[Node], account: Account, ca: Path) -> str:
    """The statement for a replica whose cluster consists of `own`; its ids are ignored so that nothing loops."""
    ids = sorted({node.server_id for node in own})
    options = [
        f"MASTER_HOST='{source.host}'",
        f"MASTER_PORT={source.port}",
        f"MASTER_USER='{account.user}'",
        f"MASTER_PASSWORD='{account.password}'",
        "MASTER_CONNECT_RETRY=2",
        "MASTER_HEARTBEAT_PERIOD=2",
        f"IGNORE_SERVER_IDS=({','.join(str(one) for one in ids)})",
    ]
    if settings.variant == "gtid":
        options.append("MASTER_USE_GTID=slave_pos")
    else:
        options += [f"MASTER_LOG_FILE='{at.file}'", f"MASTER_LOG_POS={at.position}", "MASTER_USE_GTID=no"]
    if settings.channel_tls:
        options += ["MASTER_SSL=1", f"MASTER_SSL_CA='{ca}'", "MASTER_SSL_VERIFY_SERVER_CERT=1"]
    else:  # said, because releases differ in what an unsaid option means (on since 11.4)
        options += ["MASTER_SSL=0", "MASTER_SSL_VERIFY_SERVER_CERT=0"]
    return "CHANGE MASTER TO " + ", ".join(options)


def states(connection: Any) -> list[Row]:
    """Every channel configured on this server, running or not, under the names that MariaDB gives the columns."""
    known = forms(connection)
    found = [
        {column: value_of(row, column) if known.is_mysql else row[column] for column in STATE_COLUMNS}
        for row in rows(connection, known.channels)
    ]
    return [row for row in found if row["Master_Host"]]


def start(connection: Any, thread: str = "") -> None:
    """Start the server's channel, or one thread of it."""
    rows(connection, f"START {forms(connection).replica} {thread}".rstrip())


def stop(connection: Any, thread: str = "") -> None:
    """Stop the server's channel, or one thread of it."""
    rows(connection, f"STOP {forms(connection).replica} {thread}".rstrip())


def forget_all(connection: Any) -> None:
    """Stop and remove every channel of the server."""
    known = forms(connection)
    rows(connection, known.stop_all)
    rows(connection, f"RESET {known.replica} ALL")


def set_up(
    connection: Any, settings: Settings, source: Node, at: Coordinate, own: list[Node], account: Account, ca: Path
) -> None:
    """Give the server its channel, in the statement of its family; it is not started."""
    if forms(connection).is_mysql:
        position = None if settings.variant == "gtid" else at
        statement = change_source(source, account, ca, position, [node.server_id for node in own])
    else:
        statement = change_master(settings, source, at, own, account, ca)
    rows(connection, statement)
