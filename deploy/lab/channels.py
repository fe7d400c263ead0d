"""The link's two replication channels: how they are set up, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.lab.layout import Node, Settings
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import Row, rows

# Error numbers and texts of a channel that an onlooker wants to see.
STATE_COLUMNS = (
    "Connection_name", "Master_Host", "Master_Port", "Slave_IO_Running", "Slave_SQL_Running", "Master_Log_File",
    "Read_Master_Log_Pos", "Relay_Master_Log_File", "Exec_Master_Log_Pos", "Using_Gtid", "Gtid_IO_Pos",
    "Seconds_Behind_Master", "Last_IO_Errno", "Last_IO_Error", "Last_SQL_Errno", "Last_SQL_Error",
)  # fmt: skip


@dataclass(frozen=True)
class Coordinate:
    """A place in one server's own binlog."""

    file: str
    position: int


def coordinate(connection: Any) -> Coordinate:
    """Where the server's binlog ends now."""
    status = rows(connection, "SHOW MASTER STATUS")[0]
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
    """Every channel configured on this server, running or not."""
    found = rows(connection, "SHOW ALL SLAVES STATUS")
    return [{column: row[column] for column in STATE_COLUMNS} for row in found if row["Master_Host"]]
