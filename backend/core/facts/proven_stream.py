"""How long ago the account of each stream last stood: that threads run and nothing lags proves no transaction."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.plural import pluralize
from backend.core.topology import Direction


def proven_findings(link: LinkFacts) -> Iterator[Finding]:
    """Of each direction whose account stands: since when and until when both sides were proven to hold the same."""
    for direction in Direction:
        recorded = link.recorded_channel(direction)
        account = None if recorded is None else recorded.account
        if account is None or account.since_s is None or account.until_s is None or account.unaccounted:
            continue
        if _unproven_since_s(link, direction) is None:
            yield _proven(link, direction, account.groups, account.compared, account.since_s, account.until_s)


def _proven(
    link: LinkFacts, direction: Direction, groups: int, compared: int, since_s: float, until_s: float
) -> Finding:
    source, receiving = link.source_cluster(direction), link.receiving_cluster(direction)
    since, until = (f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S} UTC" for at_s in (since_s, until_s))
    held = pluralize(groups, "transaction")
    return Finding(
        "stream_proven",
        Severity.OK,
        f"{source.name} to {receiving.name}: each of the {held} passed from {since} to {until} stands on both sides, "
        f"{compared:,} compared row by row.",
        facts={"direction": direction.value, "groups": groups, "compared": compared, "until_s": until_s},
    )


def unproven_finding(link: LinkFacts) -> Finding | None:
    """The first direction whose stream has not been accounted for; None where both were lately."""
    since = ((direction, _unproven_since_s(link, direction)) for direction in (Direction.FORWARD, Direction.REVERSE))
    late = [(direction, at_s) for direction, at_s in since if at_s is not None]
    if not late:
        return None
    direction, at_s = late[0]
    source, receiving = link.source_cluster(direction), link.receiving_cluster(direction)
    minutes = int((link.observed_at_s - at_s) // 60)
    sentence = f"It has not been proven for {minutes} min that {receiving.name} holds what {source.name} sends."
    return Finding(
        "stream_unproven",
        Severity.WARNING,
        f"{sentence} The channel runs, and the logs at both its ends were not compared to their end since.",
        "The account goes on, or begins anew, once both logs are read to their end. Where it does not, a node writes "
        "more than is read of it, its log is purged too soon, or the monitor's account cannot read it.",
        {"sentence": sentence, "direction": direction.value},
    )


def _unproven_since_s(link: LinkFacts, direction: Direction) -> float | None:
    """None where it was proven lately, and of a channel of which no poll told yet."""
    recorded = link.recorded_channel(direction)
    at_s = None if recorded is None else recorded.account.stood_until_s
    return None if at_s is None or link.observed_at_s - at_s <= link.proven_within_s else at_s
