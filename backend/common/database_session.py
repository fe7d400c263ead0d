"""What a new session with the console's database begins with."""

from __future__ import annotations

from typing import Any, Final

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from backend.core.dialects.galera import CAUSAL_READ

_UNKNOWN_VARIABLE: Final = 1193


def wait_for_cluster(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Wait until the node has applied what its Galera cluster committed before; nothing to wait for outside of one.

    After a failover, and back, the console reads on another node than the one it wrote on. There a plan or run that was
    just created would not be found. One node is used at a time, and a change ends all sessions, so that the first
    statement of a session is enough.
    """
    if connection.vendor == "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(CAUSAL_READ)
    except OperationalError as error:
        if error.args[0] == _UNKNOWN_VARIABLE:  # built without Galera
            return
        connection.close()  # a session that may read old data is none
        raise


def begin_sessions_by_waiting() -> None:
    """For every session that is opened from now on."""
    connection_created.connect(wait_for_cluster, dispatch_uid="wait_for_cluster")
