"""Times in which a node had a setting with which rows come to differ unseen, or transactions went round.

To set it back ends what it does and not what it did: no later transaction brings what was left out, and no account of
the stream shows it (rows that stayed on one node, rows of a transaction that were skipped within it, copies).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from backend.core.facts.judged_settings import UNSAFE, unsafe_values
from backend.core.facts.stream_accounts import ids_going_round
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, UnsafePeriod
from backend.core.server_settings.judgements import MustBe, WrittenBy
from backend.core.stream_account import (
    CARRIED_S,
    COLUMN_DEFAULT,
    LOGGED_ALONE,
    NOT_LOGGED,
    OTHER_COLUMNS,
    OTHER_ROWS,
)
from backend.core.topology import Direction, NodeFacts

ROWS_MAY_DIFFER = "rows_may_differ"
ROUND = ("", "server_id")
"""The node and variable under which it is kept that transactions of some ids went round between the sides."""
BOTH_SIDES = "both sides"
"""What a finding and a record name in place of the node of a round."""
UNREAD = "log behind"
"""The variable under which it is kept that a log was not read on from a place; its value is the place."""
COMPARED = "compared"
"""The variable under which it is kept that a comparison of tables found rows of a node that differ; its value is the
node that it was compared with, and the tables."""
_MENDED = "in a session with wsrep_on=OFF and sql_log_bin=0"
_NO_SETTINGS = (UNREAD, COMPARED, OTHER_COLUMNS, OTHER_ROWS, COLUMN_DEFAULT, LOGGED_ALONE, NOT_LOGGED)
"""What stands in the place of a variable: a node is never asked for it."""
_Key = tuple[str, str]


class _Texts(NamedTuple):
    """What happened, what it means, and what to do."""

    sentence: str
    meaning: str
    remedy: str


def followed(link: LinkFacts) -> tuple[UnsafePeriod, ...]:
    """The periods after one more poll.

    One that ended and was not settled goes on where the setting is back. What is unknown of a node changes nothing. A
    node that is registered no more has none that goes on.
    """
    now, known = _unsafe_now(link), {(one.node_id, one.variable): one for one in link.unsafe_periods}
    nodes = {node.node.id: node for node in link.nodes}
    kept = [_after(one, now.get(key), nodes.get(one.node_id), link.observed_at_s) for key, one in known.items()]
    new = [
        UnsafePeriod(node_id, nodes[node_id].node.name if node_id else BOTH_SIDES, variable, value, link.observed_at_s)
        for (node_id, variable), value in now.items()
        if (node_id, variable) not in known and (node_id in nodes or not node_id)
    ]
    return (*kept, *new)


def _after(one: UnsafePeriod, value: str | None, node: NodeFacts | None, now_s: float) -> UnsafePeriod:
    if value is not None:
        return replace(one, value=value, until_s=None)
    is_over = node is None or (node.is_up and (one.variable in _NO_SETTINGS or node.variable(one.variable) is not None))
    return replace(one, until_s=now_s) if is_over and one.until_s is None else one


def _unsafe_now(link: LinkFacts) -> dict[_Key, str]:
    """The unsafe value of each node and setting that has one; before there is a channel no side holds the other's."""
    if not any(_ends(link)):
        return {}
    unread = {
        (node_id, UNREAD): place
        for recorded in link.recorded
        for node_id, (place, at_s) in recorded.account.unread.items()
        if link.observed_at_s - at_s <= CARRIED_S
    }
    tables = {
        (recorded.replica_node_id, OTHER_COLUMNS): ", ".join(sorted(recorded.account.other_columns))
        for recorded in link.recorded
        if recorded.account.other_columns
    }
    tables |= {
        (recorded.replica_node_id, OTHER_ROWS): ", ".join(
            f"{table} ({gtid})" for table, (gtid, _) in sorted(recorded.account.other_rows.items())
        )
        for recorded in link.recorded
        if recorded.account.other_rows
    }
    return {**link.unsafe_in_logs, **tables, **unread, **_told_otherwise(link)}


def _told_otherwise(link: LinkFacts) -> dict[_Key, str]:
    """Those of which a finding of its own tells while they last."""
    ends = set(_ends(link))
    if not ends:
        return {}
    round_ids = ", ".join(map(str, ids_going_round(link)))
    nodes = (node for node in link.nodes if node.is_up)
    found = {
        (node.node.id, name): value
        for node in nodes
        for name, value in unsafe_values(node)
        if _matters(node, UNSAFE[name], ends)
    }
    return found | ({ROUND: round_ids} if round_ids else {})


def _matters(node: NodeFacts, needed: MustBe, ends: set[str]) -> bool:
    """What channels apply differs on a node with a channel alone; one whose channels are unknown may have any."""
    is_by_clients = needed.leaves_differences is WrittenBy.CLIENTS
    return is_by_clients or node.channels is None or bool(node.channels) or node.node.id in ends


def _ends(link: LinkFacts) -> Iterator[str]:
    """The ids of the sources of channels; none where there are none."""
    yield from (holder.source.id for direction in Direction for holder in link.holders(direction))
    yield from (recorded.source_node_id for recorded in link.recorded)


def period_findings(link: LinkFacts, severity: Severity = Severity.BLOCKER) -> Iterator[Finding]:
    """One for each period that nobody settled, but for those of which another finding tells."""
    shown: Mapping[_Key, str] = _told_otherwise(link) if link.unsafe_periods else {}
    for one in link.unsafe_periods:
        if (one.node_id, one.variable) not in shown:
            yield _finding(link, one, severity)


def _finding(link: LinkFacts, one: UnsafePeriod, severity: Severity) -> Finding:
    told = _texts(link, one)
    return Finding(
        ROWS_MAY_DIFFER,
        severity,
        f"{told.sentence} {told.meaning}",
        f"{told.remedy} Then settle it with the reason. Until then a switchover is refused.",
        {
            "sentence": told.sentence,
            "node": one.node,
            "node_id": one.node_id,
            "variable": one.variable,
            "value": one.value,
        },
    )


def _texts(link: LinkFacts, one: UnsafePeriod) -> _Texts:
    sides = f"{link.active.name} with {link.standby.name}"
    if (one.node_id, one.variable) == ROUND:
        return _Texts(
            f"Transactions of server_id {one.value} went round between the sides: rows may be there more than once.",
            "A table without a key got a copy with each round, on each side as long as the round went on.",
            f"Compare the tables without a key of {sides}, and take the copies out of each node, {_MENDED}.",
        )
    if one.variable == UNREAD:
        return _Texts(
            f"The log of {one.node} was not read from {one.value} on: transactions may be missing or applied twice.",
            "Its file was purged, or the channel stood while more was written than can be read at once. A channel that "
            "was moved by hand meanwhile may have left out what was behind that place.",
            "Look up what was written behind it: the logs of the other nodes of its side may have it. Compare the "
            f"tables of {sides}.",
        )
    if one.variable == OTHER_COLUMNS:
        return _Texts(
            f"Tables have other columns on {one.node} than elsewhere: {one.value}.",
            "Of each row that comes there it leaves out the values of last columns that it lacks, without an error.",
            f"Compare SHOW CREATE TABLE and the rows of {one.value} on each node of both sides. Give each node the "
            f"same columns, and mend the rows on each node that lacks values, {_MENDED}.",
        )
    if one.variable == OTHER_ROWS:
        return _Texts(
            f"Rows that {one.node} logged are others than those of the same transaction elsewhere: {one.value}.",
            "The logs have the transaction with other values, of before the change or after it: rows differed before, "
            "or came to differ with it.",
            "Look the transaction up in both logs. Compare the rows of the table on each node of both sides, and mend "
            f"those that differ, {_MENDED}.",
        )
    if one.variable == COMPARED:
        return _Texts(
            f"A comparison of tables found other rows on {one.node} than on {one.value}.",
            "No transaction that touched the tables lay between the two reads: the rows differ.",
            f"See the rows and the statements that would mend {one.node} on the page of the comparison; the wrong ones "
            f"may be those of the other node. Mend them, {_MENDED}, and compare again.",
        )
    if one.variable == LOGGED_ALONE:
        return _Texts(
            f"{one.node} logged what the other nodes of its side did not: {one.value}.",
            "It was executed on that node alone (wsrep_on=OFF or wsrep_OSU_method=RSU in a session, a table that is "
            "not InnoDB), or was not logged on the others (sql_log_bin=0 in a session).",
            f"Look it up in the log of {one.node}. Execute on each node of both sides that lacks it what it did, "
            f"{_MENDED}, or take it back; then compare the tables that it names.",
        )
    if one.variable == NOT_LOGGED:
        return _Texts(
            f"{one.node} did not log what the other nodes of its side logged: {one.value}.",
            "It was written there in a session with sql_log_bin=0, or was not executed there. A channel that reads "
            f"the log of {one.node} does not bring it to the other side.",
            "Look it up in the log of another node of its side, whose place is named. Execute on each node of both "
            f"sides that lacks it what it did, {_MENDED}; then compare the tables that it names.",
        )
    if one.variable == COLUMN_DEFAULT:
        return _Texts(
            f"A column was added on {one.node} with DEFAULT ({one.value}), which each node computes for itself.",
            "Its rows have other values on each node of both sides, unless the table was empty.",
            f"Compare the columns that were added on each node of {sides}, and mend them, {_MENDED}.",
        )
    had, needed = f"{one.node} had {one.variable}={one.value}", UNSAFE.get(one.variable)
    until = "" if one.until_s is None else f" until {_time(one.until_s)}"
    why = "" if needed is None else f" {needed.why}."
    return _Texts(
        f"{had}: rows may differ since.",
        f"It was seen from {_time(one.since_s)}{until}.{why} To set it back does not bring what was left out, and "
        "nothing shows whether anything was.",
        f"{_what_to_compare(link, one, needed)} Mend what differs on each node that lacks it, {_MENDED}.",
    )


def _what_to_compare(link: LinkFacts, one: UnsafePeriod, needed: MustBe | None) -> str:
    sides = (link.active, link.standby)
    side = next((side for side in sides if one.node_id in {node.node.id for node in side.nodes}), None)
    by_clients = needed is not None and needed.leaves_differences is WrittenBy.CLIENTS
    within = f"the nodes of {side.name} with each other, and " if side is not None and by_clients else ""
    return f"Compare the tables of {within}{link.active.name} with {link.standby.name}."


def _time(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
