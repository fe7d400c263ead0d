"""The channel of a MySQL 9.7.4, as recorded."""

from __future__ import annotations

from backend.core.dialects.mysql import MysqlDialect
from tests.core.dialects.recorded import rows

SERVER = "mysql-9.7.4"
DIALECT = MysqlDialect((9, 7))


def channel():  # type: ignore[no-untyped-def]
    """The recorded channel."""
    (found,) = DIALECT.parse_channels(rows(SERVER, "replica_status"), rows(SERVER, "channel_settings"))
    return found
