"""The statements that enable an event on one node, or leave it to another one."""

from __future__ import annotations

from backend.core.dialects import quoting
from backend.core.dialects.base import DialectError

ENABLE, DISABLE_ON_SLAVE = "ENABLE", "DISABLE ON SLAVE"
_SYSTEM = frozenset({"mysql", "information_schema", "performance_schema", "sys"})


def alter_event(schema: str, name: str, definer: str, change: str) -> str:
    """It names the definer: without one, the account that sends it becomes the definer (measured).

    DialectError for a name that cannot be quoted safely, or another change.
    """
    user, at, host = definer.rpartition("@")
    if change not in (ENABLE, DISABLE_ON_SLAVE) or not at or schema in _SYSTEM:
        raise DialectError(f"a run may not change the event {schema}.{name} of {definer} so")
    account = f"{quoting.plain(user, 'the definer')}@{quoting.plain(host, 'the definer')}"
    return f"ALTER DEFINER={account} EVENT {_name(schema)}.{_name(name)} {change}"


def _name(text: str) -> str:
    """In backticks, as `quoting.plain` allows it."""
    quoting.plain(text.replace("`", ""), "the event's name")
    return "`" + text.replace("`", "``") + "`"
