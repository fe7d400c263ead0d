"""Checks that a replica understands what its source writes."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.dialects.base import Series
from backend.core.dialects.tested_versions import TESTED_PAIRS, differences, series_of, shown
from backend.core.findings import Finding, Severity


def check_version(ctx: CheckContext) -> Iterator[Finding]:
    """Of a link that replicates already: a link cannot wait for the end of a rolling upgrade to be moved."""
    return _versions(ctx, is_new=False)


def check_version_of_new_link(ctx: CheckContext) -> Iterator[Finding]:
    """A link that does not replicate yet begins with a replica that is not older than its source."""
    return _versions(ctx, is_new=True)


def _versions(ctx: CheckContext, *, is_new: bool) -> Iterator[Finding]:
    for move in ctx.moves:
        source, replica = move.source, move.replica
        facts = {"source": source.version, "replica": replica.version}
        pair = f"{source.node.name} ({source.version}) to {replica.node.name} ({replica.version})"
        if source.version is None or replica.version is None:
            yield Finding(
                "version_unknown",
                Severity.UNKNOWN,
                f"The versions of {pair} are unknown.",
                "Every account may read `version`. Check that no proxy responds.",
                facts,
            )
            continue
        if source.flavor != replica.flavor:
            yield Finding(
                "families_differ",
                Severity.BLOCKER,
                f"The servers of {pair} are of different families: their logs, GTIDs and statements differ.",
                "Choose two nodes of one server family.",
                {**facts, "source_flavor": source.flavor, "replica_flavor": replica.flavor},
            )
            continue
        series = series_of(source.version), series_of(replica.version)
        if series[1] < series[0]:
            yield _older(pair, series, facts, is_new=is_new)
        else:
            yield Finding("version_fits", Severity.OK, f"The versions are compatible: {pair}.", facts=facts)


def _older(pair: str, series: tuple[Series, Series], facts: dict[str, str | None], *, is_new: bool) -> Finding:
    known = differences(*series)
    names = f"{shown(series[0])} to {shown(series[1])}"
    tried = "was tested with Hawser" if series in TESTED_PAIRS else "was not tested with Hawser"
    severity = Severity.BLOCKER if is_new else Severity.WARNING
    remedy = (
        "Choose a replica of the same or a later version, or upgrade this one first."
        if is_new
        else "Finish the upgrade of the replica's side soon. Until then make no table definitions that it lacks."
    )
    return Finding(
        "replica_older",
        severity,
        " ".join([f"The replica is older than its source: {pair}. Replication from {names} {tried}.", *known]),
        remedy,
        {**facts, "known": list(known), "is_tested": series in TESTED_PAIRS},
    )
