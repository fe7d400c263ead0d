"""The statements whose answers are recorded: those of a poll, and one page of the newest binary log."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.dialects import VARIABLES_QUERY, Dialect, dialect_to_watch

EVENTS = 200
"""Events of the newest file, from its beginning."""
VARIABLES, FILES, LOG = "variables", "binlog_files", "binlog_events"
NEWEST = "newest.000001"
"""Stands for the newest file in a list that is shown before a server was asked."""
_FORMS = (("mariadb", "10.5"), ("pxc", "8.0"), ("pxc", "8.4"))
"""A release for each form in which the families ask."""


def statements_of(dialect: Dialect) -> dict[str, str]:
    """By the name of its answer every statement that needs nothing but the family, in the order they are sent."""
    settings, filters = dialect.channel_settings_query(), dialect.global_filters_query()
    return {
        "status": dialect.status_query(),
        "channels": dialect.channels_query(),
        **({"channel_settings": settings} if settings is not None else {}),
        **({"global_filters": filters} if filters is not None else {}),
        "binlog_end": dialect.binlog_end_query(),
        FILES: dialect.binlog_files_query(),
    }


def events_of(dialect: Dialect, file: str) -> str:
    """The page of events."""
    return dialect.binlog_events_query(file, limit=EVENTS)


def every_form() -> Iterator[tuple[str, str]]:
    """What may be sent, whichever family the server turns out to be of, with the name of the answer; once each."""
    seen = {(VARIABLES, VARIABLES_QUERY): None}
    for flavor, series in _FORMS:
        dialect = dialect_to_watch(flavor, f"{series}.99")
        seen |= dict.fromkeys([*statements_of(dialect).items(), (LOG, events_of(dialect, NEWEST))])
    order = [VARIABLES, "status", "channels", "channel_settings", "global_filters", "binlog_end", FILES, LOG]
    yield from sorted(seen, key=lambda one: order.index(one[0]))
