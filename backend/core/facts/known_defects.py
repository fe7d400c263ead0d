"""What is known to go wrong with the releases that the nodes of a link run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.dialects.known_defects import (
    BY_ID,
    Concerns,
    Defect,
    defects_of,
    provider_release_of,
    release_of,
    written,
)
from backend.core.dialects.tested_versions import Release
from backend.core.findings import Finding, Severity
from backend.core.plural import pick
from backend.core.topology import NodeFacts

PROVIDER_VERSION = "wsrep_provider_version"


def known_defect_findings(nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    """One for each defect that touches a node that responds; the nodes of one link."""
    by_gtid = {node.node.cluster_id for node in nodes if _follows_gtids(node)}
    found: dict[str, list[NodeFacts]] = {}
    for node in nodes:
        if not node.is_up:
            continue
        for defect in defects_of(node.flavor, node.version, node.variable(PROVIDER_VERSION)):
            if _touches(defect, node, by_gtid):
                found.setdefault(defect.id, []).append(node)
    for number, touched in found.items():
        defect = BY_ID[number]
        names = ", ".join(node.node.name for node in touched)
        known = {release for node in touched if (release := _release(defect, node)) is not None}
        releases = [written(release) for release in sorted(known)]
        yield Finding(
            "known_defect",
            Severity.WARNING if defect.is_severe else Severity.INFO,
            f"{names} {pick(len(touched), 'runs', 'run')} {defect.product} {', '.join(releases)}, which has the defect "
            f"{defect.id} (fixed in {fixed_in(defect)}). {defect.effect}",
            defect.remedy,
            {"defect": defect.id, "nodes": [node.node.name for node in touched], "releases": releases},
        )


def fixed_in(defect: Defect) -> str:
    """The first releases without it."""
    return ", ".join(written(release) for _, release in sorted(defect.fixed.items()))


def _touches(defect: Defect, node: NodeFacts, by_gtid: set[str]) -> bool:
    match defect.concerns:
        case Concerns.GTID_CHANNELS:
            return node.node.cluster_id in by_gtid
        case Concerns.RESTARTS_CHANNELS:
            return (node.variable("wsrep_restart_slave") or "").upper() == "ON"
        case Concerns.RSYNC:
            return (node.variable("wsrep_sst_method") or "").lower() == "rsync"
    return defect.concerns is Concerns.EVERY_NODE


def _follows_gtids(node: NodeFacts) -> bool:
    return any(channel.using_gtid.lower() not in ("no", "") for channel in node.channels or ())


def _release(defect: Defect, node: NodeFacts) -> Release | None:
    return provider_release_of(node.variable(PROVIDER_VERSION)) if defect.is_of_provider else release_of(node.version)
