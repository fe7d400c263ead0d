"""Repeats transactions that the console's own database rolled back.

A deadlock or a lock timeout leaves nothing behind: MariaDB or Django's block rolled the transaction back. A console
database in a Galera cluster reports a conflict at COMMIT as a deadlock, too. Without a retry a run would stop between
its fences (observed: a swap of roles met the monitor's tick).
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import structlog
from django.db import InterfaceError, OperationalError, connection

log = structlog.get_logger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS: Final = 5
_ROLLED_BACK: Final = frozenset({1205, 1213})
_NO_ANSWER: Final = frozenset({1040, 1047, 1053, 1180, 1203, 1290, 1836, 1927, 2002, 2003, 2006, 2013, 2026, 2055})
"""Full, expelled from its own Galera cluster (1180 at COMMIT), shutting down, read-only during a failover, killed,
unreachable, lost: error numbers of MariaDB and its client."""


def retry_on_rollback(work: Callable[P, T]) -> Callable[P, T]:
    """Repeat the work as a whole if the database rolled its transaction back.

    Inside a transaction of the caller, the caller has to repeat it. The work does nothing outside of the database.
    """

    @wraps(work)
    def whole(*args: P.args, **kwargs: P.kwargs) -> T:
        attempt = 1
        while True:
            try:
                return work(*args, **kwargs)
            except OperationalError as error:
                if connection.in_atomic_block or attempt == ATTEMPTS or not is_rolled_back(error):
                    raise
                log.warning("transaction.retried", work=work.__qualname__, attempt=attempt, error=str(error))
            time.sleep(random.uniform(0, 0.05 * attempt))  # noqa: S311 - two that met must not meet again
            attempt += 1

    return whole


def is_rolled_back(error: Exception) -> bool:
    """Whether the transaction that raised this was rolled back and can be repeated."""
    return _code(error) in _ROLLED_BACK or _is_locked_file(error)


def is_unavailable(error: Exception) -> bool:
    """Whether the error means only that the console's database is not responding now: a later attempt can succeed."""
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, OperationalError) and (is_rolled_back(error) or _code(error) in _NO_ANSWER)


def _code(error: Exception) -> int:
    code = error.args[0] if isinstance(error, OperationalError) and error.args else 0
    return code if isinstance(code, int) else 0


def _is_locked_file(error: Exception) -> bool:
    """The low byte is the primary code: after a killed writer a file reports SQLITE_BUSY_RECOVERY (261)."""
    cause = error.__cause__
    return isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
