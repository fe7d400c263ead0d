"""Transactions of the console's own record that its database ended by itself.

A deadlock leaves nothing behind, nor does a lock waited for too long: MariaDB rolled the one back, Django's block
the other. On a console database in a Galera cluster a conflict at COMMIT is told as a deadlock, too. So the work is
begun anew instead of stopping a run between its fences for it (seen: a swap of roles met the monitor's tick).
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
_NO_ANSWER: Final = frozenset({1040, 1047, 1053, 1203, 1290, 1836, 1927, 2002, 2003, 2006, 2013, 2026, 2055})
"""Full, cut from its own Galera cluster, shutting down, read-only as while it fails over, killed, not reached, lost:
MariaDB's and its client's error numbers."""


def retry_on_rollback(work: Callable[P, T]) -> Callable[P, T]:
    """Do the work again, as a whole, where its transaction was rolled back by the database.

    Inside a transaction of somebody else it is theirs to be begun anew. The work does nothing outside the database.
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
    """Whether the transaction that raised this stands nowhere and may be begun anew."""
    return _code(error) in _ROLLED_BACK or _is_locked_file(error)


def is_unavailable(error: Exception) -> bool:
    """Whether this says of the console's database only that it did not answer just now: a successor asks again."""
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, OperationalError) and (is_rolled_back(error) or _code(error) in _NO_ANSWER)


def _code(error: Exception) -> int:
    code = error.args[0] if isinstance(error, OperationalError) and error.args else 0
    return code if isinstance(code, int) else 0


def _is_locked_file(error: Exception) -> bool:
    """The low byte is the primary code: a file that recovers from a killed writer says SQLITE_BUSY_RECOVERY (261)."""
    cause = error.__cause__
    return isinstance(cause, sqlite3.OperationalError) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
