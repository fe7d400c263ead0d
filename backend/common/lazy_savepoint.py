"""A savepoint set only where something is written: most that could fail in a tick writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, InterfaceError, connection, transaction

_READS = ("SELECT", "SHOW")


class _Savepoint:
    """Set before the first statement that may write."""

    def __init__(self) -> None:
        self._is_set = False
        self._name: str | None = None

    def before(self, execute: Callable[..., Any], sql: str, params: Any, is_batch: bool, context: Any) -> Any:
        """Django's wrapper of a statement; that of the savepoint itself comes here, too."""
        if not self._is_set and not sql.startswith(_READS):
            self._is_set = True
            self._name = transaction.savepoint()
        return execute(sql, params, is_batch, context)

    def end(self, *, rolls_back: bool) -> None:
        """Keep or undo what was written."""
        if rolls_back:
            transaction.set_rollback(False)
            if self._name is not None:
                transaction.savepoint_rollback(self._name)
        elif self._name is not None:
            transaction.savepoint_commit(self._name)


@contextmanager
def atomic_if_written() -> Iterator[None]:
    """Within a transaction: nothing that was written inside stays if it raises.

    After an error of the database itself the transaction is the caller's to end.
    """
    point = _Savepoint()
    try:
        with connection.execute_wrapper(point.before):
            yield
    except (DatabaseError, InterfaceError):
        raise
    except Exception:
        point.end(rolls_back=True)
        raise
    point.end(rolls_back=False)
