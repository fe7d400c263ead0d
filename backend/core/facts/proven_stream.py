"""How long ago the account of each stream last stood: that threads run and nothing lags proves no transaction."""

from __future__ import annotations

from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.topology import Direction


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
