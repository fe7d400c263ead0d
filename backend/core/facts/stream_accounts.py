"""What the accounts of a link's directions say: transactions that do not stand on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.core.facts.channel_filters import filters_of
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, RecordedChannel
from backend.core.plural import pick, pluralize
from backend.core.stream_account import CARRIED_S, Fault, Unaccounted
from backend.core.topology import Direction

LEFT_OUT = "transactions_left_out"
NOT_FROM_SOURCE = "transactions_not_from_source"
GOING_ROUND = "transactions_going_round"
_UNLOGGED = (
    "on each of its nodes, in a session with wsrep_on=OFF and sql_log_bin=0, so that it stands in no log and travels "
    "nowhere"
)
"""What Galera replicates stands in the logs of the other nodes, whatever the session logs (measured)."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Found:
    """What one direction's account names with one code; `count` has those that are not listed, too."""

    recorded: RecordedChannel
    code: str
    listed: tuple[Unaccounted, ...]
    count: int


def stream_findings(link: LinkFacts, severity: Severity = Severity.BLOCKER) -> Iterator[Finding]:
    """One for each direction and fault, until every transaction is settled.

    While a filter is set the page tells that (`channel_filtered`); what it left out is missing once it is gone.
    """
    ids = ids_going_round(link)
    if ids:
        yield _round(ids, severity)
    for found in _found(link):
        make = _left_out if found.code == LEFT_OUT else _not_sent
        yield make(link, found.recorded, found.listed, found.count, severity)


def ids_going_round(link: LinkFacts) -> list[int]:
    """The server_ids of which both directions carry transactions: what comes back is applied once more each time."""
    carried = [
        {name for name, at_s in recorded.account.carried.items() if link.observed_at_s - at_s <= CARRIED_S}
        for recorded in link.recorded
    ]
    return sorted(map(int, carried[0] & carried[1])) if len(carried) == 2 else []


def _round(ids: Sequence[int], severity: Severity) -> Finding:
    named = f"server_id {', '.join(map(str, ids))}"
    sentence = f"Transactions of {named} go round between the sides."
    return Finding(
        GOING_ROUND,
        severity,
        f"{sentence} Both channels carry them: what comes back to the side it was written on is applied there again, "
        "and goes out again. A table without a key gets a copy with each round.",
        f"Add {named} to IGNORE_SERVER_IDS of the channel into the side on which they are written: STOP SLAVE; CHANGE "
        "MASTER with the whole list; START SLAVE. Then take the copies out.",
        {"sentence": sentence, "server_ids": list(ids)},
    )


def lacked_by_standby(link: LinkFacts) -> int:
    """How many transactions of the active side the standby lacks besides what is on the way: a failover loses them."""
    codes = {Direction.FORWARD: LEFT_OUT, Direction.REVERSE: NOT_FROM_SOURCE}
    return sum(found.count for found in _found(link) if codes[found.recorded.direction] == found.code)


def _found(link: LinkFacts) -> Iterator[_Found]:
    for recorded in link.recorded:
        is_filtered = any(filters_of(one.channel.options) for one in link.countable_holders(recorded.direction))
        left_out = {Fault.MISSING} if is_filtered else {Fault.MISSING, Fault.FILTERED}
        more = recorded.account.more
        for code, faults in ((LEFT_OUT, left_out), (NOT_FROM_SOURCE, {Fault.EXTRA})):
            listed = tuple(one for one in recorded.account.unaccounted if one.fault in faults)
            if listed:
                yield _Found(recorded, code, listed, len(listed) + more)
                more = 0


def _left_out(
    link: LinkFacts, recorded: RecordedChannel, found: Sequence[Unaccounted], count: int, severity: Severity
) -> Finding:
    source, receiving = _sides(link, recorded)
    replica, them = link.node(recorded.replica_node_id).node.name, pick(count, "it", "them")
    is_whole = not any(one.tables for one in found)
    sentence = f"{receiving} lacks {pluralize(count, 'transaction')} of {source}{'' if is_whole else ', or parts'}."
    has = f"does not have {them}" if is_whole else f"does not have {them} whole"
    return Finding(
        LEFT_OUT,
        severity,
        f"{sentence} The {recorded.direction} channel passed {them}, and the log of {replica} {has}: "
        "skipped, left behind by a position that was set by hand, or filtered. What changed nothing there is no loss. "
        f"{_named(link, found, count)}.",
        f"Look up {pick(count, 'its', 'their')} rows. Bring in what {receiving} lacks {_UNLOGGED}. " + _settle(count),
        _facts(recorded, sentence, found, count),
    )


def _not_sent(
    link: LinkFacts, recorded: RecordedChannel, found: Sequence[Unaccounted], count: int, severity: Severity
) -> Finding:
    source, receiving = _sides(link, recorded)
    node, them = link.node(recorded.source_node_id).node.name, pick(count, "it", "them")
    sentence = f"{receiving} holds {pluralize(count, 'transaction')} that {source} did not send."
    return Finding(
        NOT_FROM_SOURCE,
        severity,
        f"{sentence} {pick(count, 'It bears', 'They bear')} a server_id of {source}, and the log of {node} does not "
        f"have {them} so often: written on {receiving} under that id, or applied twice. The channel to {source} "
        f"ignores {them}. {_named(link, found, count)}.",
        f"Look up {pick(count, 'its', 'their')} rows. Bring in what {source} lacks {_UNLOGGED}. Where "
        f"{pick(count, 'it was', 'they were')} applied twice, take the second rows out of {receiving} in the same "
        f"way. {_settle(count)}",
        _facts(recorded, sentence, found, count),
    )


def _sides(link: LinkFacts, recorded: RecordedChannel) -> tuple[str, str]:
    return link.source_cluster(recorded.direction).name, link.receiving_cluster(recorded.direction).name


def _settle(count: int) -> str:
    return f"Then settle {pick(count, 'it', 'them')} with the reason. Until then a switchover is refused."


def _facts(recorded: RecordedChannel, sentence: str, found: Sequence[Unaccounted], count: int) -> dict[str, object]:
    gtids = [one.gtid for one in found]
    return {"direction": recorded.direction.value, "sentence": sentence, "count": count, "gtids": gtids}


def _named(link: LinkFacts, found: Sequence[Unaccounted], count: int) -> str:
    """The first of them by number, GTID and place."""
    names = {node.node.id: node.node.name for node in link.nodes}
    shown = [
        f"{'' if one.seqno is None else f'seqno {one.seqno}, '}GTID {one.gtid} at {one.begins} of "
        f"{names.get(one.node_id, one.node_id)}{_without(one)}"
        for one in found[:_NAMED]
    ]
    more = count - len(shown)
    return "; ".join(shown) + (f"; and {more:,} more" if more else "")


def _without(one: Unaccounted) -> str:
    """The first tables whose rows are not there, where others are."""
    if not one.tables:
        return ""
    more = len(one.tables) - _NAMED
    return f" (without {', '.join(one.tables[:_NAMED])}{f' and {more:,} more tables' if more > 0 else ''})"
