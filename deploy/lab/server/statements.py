"""What differs between server families in the statements of the lab; the server's own version decides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_VERSION = re.compile(r"(\d+)\.(\d+)\.")
_LOG_STATUS_SINCE = (8, 2)


@dataclass(frozen=True)
class StatementForms:
    """`replica` stands in START, STOP and RESET; `stop_all` ends every channel of a server."""

    replica: str
    stop_all: str
    channels: str
    log_end: str
    is_mysql: bool = False


_MARIADB = StatementForms("SLAVE", "STOP ALL SLAVES", "SHOW ALL SLAVES STATUS", "SHOW MASTER STATUS")
_MYSQL = StatementForms("REPLICA", "STOP REPLICA", "SHOW REPLICA STATUS", "SHOW BINARY LOG STATUS", is_mysql=True)
_MYSQL_8_0 = StatementForms("REPLICA", "STOP REPLICA", "SHOW REPLICA STATUS", "SHOW MASTER STATUS", is_mysql=True)


def forms_of_version(version: str) -> StatementForms:
    """By the version in a server's greeting."""
    if "mariadb" in version.lower():
        return _MARIADB
    found = _VERSION.match(version)
    is_older = found is not None and (int(found[1]), int(found[2])) < _LOG_STATUS_SINCE
    return _MYSQL_8_0 if is_older else _MYSQL


def forms(connection: Any) -> StatementForms:
    """By the session's server."""
    return forms_of_version(connection.get_server_info())
