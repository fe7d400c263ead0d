"""One change of one node's configuration: the statement, its undo, and the line that keeps it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from backend.core.adviser.advice.facts import NodeConfiguration
from backend.core.adviser.advice.options.known import KNOWN
from backend.core.adviser.advice.options.values import duration_s, number
from backend.core.adviser.advice.options.variables import EQUAL_VARIABLES
from backend.core.dialects.base import DialectError
from backend.core.dialects.galera_configuration import set_provider_option, set_variable

_DYNAMIC_VARIABLES = frozenset({"wsrep_slave_threads", "wsrep_applier_threads", "sync_binlog"}) | {
    "innodb_flush_log_at_trx_commit"
}


@dataclass(frozen=True, slots=True)
class ConfigurationChange:
    """One change of one node; without `sql` only a restart changes the value."""

    node: str
    name: str
    before: Annotated[str | None, "null: the node does not show it"]
    after: str
    is_option: Annotated[bool, "a provider option, else a server variable"]
    needs_restart: bool
    sql: str = ""
    undo: str = ""


def option_change(node: NodeConfiguration, name: str, value: str) -> ConfigurationChange:
    """The change of a provider option in the form in which this server shows its options."""
    before = node.options.get(name)
    after = _as_shown(value, before)
    known = KNOWN.get(name)
    if known is None or not known.is_dynamic:
        return ConfigurationChange(node.name, name, before, after, is_option=True, needs_restart=True)

    def statement(to: str | None) -> str:
        return "" if to is None else _built(lambda: set_provider_option(name, to, has_plugin=node.has_plugin))

    return ConfigurationChange(
        node.name,
        name,
        before,
        after,
        is_option=True,
        needs_restart=False,
        sql=statement(after),
        undo=statement(before),
    )


def variable_change(node: NodeConfiguration, name: str, value: str) -> ConfigurationChange:
    """The change of a server variable."""
    before = node.variables.get(name)
    known = EQUAL_VARIABLES.get(name)
    if not (known.is_dynamic if known else name in _DYNAMIC_VARIABLES):
        return ConfigurationChange(node.name, name, before, value, is_option=False, needs_restart=True)
    sql = _built(lambda: set_variable(name, value))
    undo = "" if before is None else _built(lambda: set_variable(name, before))
    return ConfigurationChange(node.name, name, before, value, is_option=False, needs_restart=False, sql=sql, undo=undo)


def _as_shown(value: str, before: str | None) -> str:
    """A duration as seconds where the server shows seconds."""
    seconds = duration_s(value) if value.startswith("P") else None
    return value if seconds is None or number(before) is None else f"{seconds:g}"


def _built(statement: Callable[[], str]) -> str:
    """The statement; empty where a value cannot be written as one, which the page then says."""
    try:
        return statement()
    except DialectError:
        return ""
