"""Whether a group of a log is one that is looked for, and from where on none can follow."""

from __future__ import annotations

import re

from backend.core.lookup.groups import STATEMENTS, DumpedGroup
from backend.core.lookup.identity import is_same_transaction
from backend.core.lookup.log_events import ANNOTATE, table_name
from backend.core.lookup.model import LOGGED_WITHIN_S, Criteria, LoggedGroup
from backend.core.orphans.transactions import RawEvent
from backend.core.positions import FilePosition
from backend.core.row_event_bytes import TABLE_MAP

OVERTAKING_GROUPS = 2_000
"""By so many groups a log may deviate from the order of numbers (as `binlog.search.GTID_SLACK`)."""
_SPACE = re.compile(r"\s+")


class Filter:
    """Rules most groups out by their raw events: describing one takes ten times as long."""

    def __init__(self, criteria: Criteria) -> None:
        self._criteria = criteria
        self._table = criteria.table.casefold()
        self._word = max(criteria.text.split(), key=len, default="").lower()
        self._seconds = {(one.group.server_id, one.at_s) for one in criteria.alike}

    def may_match(self, one: DumpedGroup) -> bool:
        """Whether the group has to be described to know; also where an event is unknown, which is never skipped."""
        asked = self._criteria
        if one.has_unknown or one.gtid is None:
            return True
        return (
            asked.xid in (None, one.xid)
            and (asked.gtid is None or one.gtid == (asked.gtid.domain, asked.gtid.seq_no))
            and asked.server_id in (None, one.server_id)
            and (asked.since_s is None or one.at_s >= asked.since_s)
            and (asked.until_s is None or one.at_s <= asked.until_s)
            and (asked.position is None or one.file == asked.position.file)
            and (not self._seconds or (one.server_id, one.at_s) in self._seconds)
            and (not self._table or any(map(self._may_name_table, one.events)))
            and (not self._word or any(map(self._may_hold_word, one.events)))
        )

    def _may_name_table(self, event: RawEvent) -> bool:
        if event.kind == TABLE_MAP:
            return table_name(event.body).casefold() == self._table
        return event.kind in STATEMENTS

    def _may_hold_word(self, event: RawEvent) -> bool:
        if event.kind == ANNOTATE:
            return not self._word.isascii() or self._word.encode() in event.body.lower()
        return event.kind in STATEMENTS


def matches(criteria: Criteria, one: LoggedGroup) -> bool:
    """Whether the group meets every criterion that is given."""
    group = one.group
    return (
        criteria.xid in (None, group.xid)
        and criteria.gtid in (None, group.gtid)
        and criteria.server_id in (None, group.server_id)
        and (criteria.since_s is None or one.at_s >= criteria.since_s)
        and (criteria.until_s is None or one.at_s <= criteria.until_s)
        and (criteria.position is None or _touches(one, criteria.position))
        and (not criteria.text or holds_text(one, criteria.text))
        and (not criteria.table or changes_table(one, criteria.table))
        and (not criteria.alike or any(is_same_transaction(one, other) for other in criteria.alike))
    )


def _touches(one: LoggedGroup, position: FilePosition) -> bool:
    """Whether the position lies in the group, begins it or ends it: a position between two groups names both."""
    group = one.group
    return group.file == position.file and group.start <= position.offset <= group.end


def holds_text(one: LoggedGroup, text: str) -> bool:
    """Whether one of its statements has the text in it."""
    wanted = _plain(text)
    return any(wanted in _plain(statement) for statement in one.texts)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def changes_table(one: LoggedGroup, table: str) -> bool:
    """Whether its rows are of the table, or a statement that was logged as text names it."""
    wanted = table.casefold()
    if any(name.casefold() == wanted for name in one.group.tables):
        return True
    return any(_names_table(text, wanted) for text in one.group.texts)


def _names_table(statement: str, table: str) -> bool:
    """By its full name, or by its own name where its schema is the statement's default one."""
    schema, _, name = table.partition(".")
    text = statement.casefold()
    if re.search(rf"(?<![\w$]){_identifier(schema)}\s*\.\s*{_identifier(name)}(?![\w$])", text):
        return True
    default = f"use `{schema}`; "
    if not text.startswith(default):
        return False
    return bool(re.search(rf"(?<![\w$.]){_identifier(name)}(?![\w$])", text[len(default) :]))


def _identifier(name: str) -> str:
    return rf"(?:`{re.escape(name)}`|{re.escape(name)})"


class Beyond:
    """Follows the groups read; tells from where on nothing in the log can match any more."""

    def __init__(self, criteria: Criteria) -> None:
        self._criteria = criteria
        self._greater = 0
        self._missing = list(criteria.alike)

    def is_after(self, one: DumpedGroup) -> bool:
        """Whether this group and all after it are beyond the criteria."""
        asked = self._criteria
        if asked.alike:
            return self._is_behind_alike(one)
        if asked.position is not None:
            return asked.position < one.begin_position
        self._greater += _is_greater(asked, one)
        if self._greater > OVERTAKING_GROUPS:
            return True
        return asked.until_s is not None and one.at_s > asked.until_s + LOGGED_WITHIN_S

    def found(self, one: LoggedGroup) -> None:
        """Note a match."""
        self._missing = [other for other in self._missing if not is_same_transaction(one, other)]

    def _is_behind_alike(self, one: DumpedGroup) -> bool:
        """Whether all were found, and their origin has gone on to later seconds, so that no second one can follow."""
        alike = self._criteria.alike
        is_of_origin = any(other.group.server_id == one.server_id for other in alike)
        return not self._missing and is_of_origin and one.at_s > max(other.at_s for other in alike) + 1


def _is_greater(asked: Criteria, one: DumpedGroup) -> bool:
    """Whether the group's number is above the one asked for: numbers rise along a log, apart from a few."""
    if asked.xid is not None:
        return one.xid is not None and one.xid > asked.xid
    if asked.gtid is not None and one.gtid is not None:
        return one.gtid[0] == asked.gtid.domain and one.gtid[1] > asked.gtid.seq_no
    return False
