"""The findings of a side whose members are not, or not certainly, one Primary Component."""

from __future__ import annotations

from backend.core.facts.halves import DURABLE, Half, away_halves, common_seqno, halves, lineages, mixed_halves, views
from backend.core.findings import Finding, Severity
from backend.core.plural import pick, pluralize
from backend.core.topology import ClusterFacts, NodeFacts


def split_finding(cluster: ClusterFacts, *, refuses: bool = True) -> Finding:
    """Names the halves, what each holds, and up to which seqno they hold the same."""
    parts = halves(cluster)
    seqno = common_seqno(cluster)
    return Finding(
        "site_is_split",
        Severity.BLOCKER if refuses else Severity.WARNING,
        f"{cluster.name} is {len(parts)} Primary Components that know nothing of each other: "
        f"{'; '.join(map(_said, parts))}. {_agreement(cluster, parts, seqno)} "
        "What one of them commits reaches neither the others nor, without a channel of its own, the other side.",
        remedy_of(cluster, seqno),
        {
            "cluster_id": cluster.id,
            "halves": [
                {"nodes": list(half.names), "unseen": half.unseen, "state_uuid": half.state_uuid, "seqno": half.seqno}
                for half in parts
            ],
            "common_seqno": seqno,
        },
    )


def remedy_of(cluster: ClusterFacts, seqno: int | None) -> str:
    """How the side becomes one again without losing a write."""
    since = "since they parted" if seqno is None else f"after seqno {seqno:,}"
    return (
        f"Decide which half of {cluster.name} stays, and run SET GLOBAL read_only=ON on every node of the others. "
        f"Export what the others wrote {since} from their binary logs (mariadb-binlog), and enter it on the half that "
        "stays. Stop the others, move their data folders aside, and start them empty with the addresses of the half "
        "that stays. They must be copied whole (SST): an IST would keep their own transactions."
    )


def away_half_finding(cluster: ClusterFacts) -> Finding | None:
    """Where the side was split, and nodes of a half have not returned since."""
    away = [node.node.name for half in away_halves(cluster) for node in half]
    if not away:
        return None
    names = _list(away)
    return Finding(
        "site_was_split",
        Severity.WARNING,
        f"{cluster.name} was several Primary Components, and {names} {pick(len(away), 'has', 'have')} not returned "
        f"since. {pick(len(away), 'It', 'They')} may hold transactions that no other node has.",
        f"Export what only {names} wrote from {pick(len(away), 'its', 'their')} binary log. Move the data "
        f"folder of {names} aside before the start, for a full copy (SST).",
        {"cluster_id": cluster.id, "nodes": away},
    )


def mixed_halves_finding(cluster: ClusterFacts, *, refuses: bool = True) -> Finding | None:
    """Where nodes of several halves are one component again, and it is not proven that they hold the same."""
    mixed = mixed_halves(cluster)
    if not mixed:
        return None
    parted = cluster.seen_together.parted if cluster.seen_together is not None else ()
    seqno = min((half.common_seqno for half in parted if half.common_seqno is not None), default=None)
    stays, back = _list([n.node.name for n in mixed[0]]), [n.node.name for half in mixed[1:] for n in half]
    names, shown = _list(back), [(_names(half), _own_seqno(cluster, half)) for half in mixed]
    own = "; ".join(f"{_list(of)}: {'unknown' if last is None else f'up to {last:,}'}" for of, last in shown)
    common = "an unknown seqno" if seqno is None else f"seqno {seqno:,}"
    return Finding(
        "site_was_split",
        Severity.BLOCKER if refuses else Severity.WARNING,
        f"{cluster.name} was several Primary Components, and {names} {pick(len(back), 'is', 'are')} in one with "
        f"{stays} again without a proven full copy (SST). Each keeps what its own half wrote after {common} "
        f"(seqnos of its own: {own}): the rows of these nodes differ, and replication does not mend that.",
        f"Decide which nodes stay, for instance {stays}. Copy the binary logs of the others aside. Stop the others, "
        "all of them, and remove the file grastate.dat from their data folders; then start them one after the other: "
        f"each is copied whole (SST). Enter what they had written after {common} on the nodes that stay.",
        {
            "cluster_id": cluster.id,
            "nodes": back,
            "halves": [{"nodes": of, "seqno": last} for of, last in shown],
            "common_seqno": seqno,
        },
    )


def _names(nodes: tuple[NodeFacts, ...]) -> list[str]:
    return [node.node.name for node in nodes]


def _own_seqno(cluster: ClusterFacts, half: tuple[NodeFacts, ...]) -> int | None:
    """The highest seqno of that half while it was apart; None also of nodes that may be of more than one."""
    held = lineages(cluster)[half[0].node.id]
    seen = cluster.seen_together
    return seen.parted[min(held)].seqno if seen is not None and len(held) == 1 else None


def views_differ_finding(cluster: ClusterFacts) -> Finding:
    """Where the members report different views and may still be one component."""
    shown = "; ".join(
        f"{_list([node.node.name for node in view.nodes])}: {pluralize(view.size, 'member')}, view {view.conf_id}"
        for view in views(cluster)
    )
    return Finding(
        "site_views_differ",
        Severity.UNKNOWN,
        f"The members of {cluster.name} report different views of their cluster ({shown}). "
        "It is unknown whether they are one Primary Component.",
        "A change of the membership takes a second: create the plan again. If it stays, compare wsrep_cluster_conf_id "
        f"and wsrep_incoming_addresses on all nodes of {cluster.name}. A node under a backup lock shows an old view.",
        {"cluster_id": cluster.id, "views": [[node.node.name for node in view.nodes] for view in views(cluster)]},
    )


def membership_unknown_finding(cluster: ClusterFacts) -> Finding | None:
    """Where a node responds and does not say of which component it is a member."""
    unread = [
        node.node.name
        for node in cluster.nodes
        if node.is_up and node.wsrep is None and (node.variable("wsrep_on") or "").upper() not in ("OFF", "0")
    ]
    if not unread:
        return None
    names = _list(unread)
    return Finding(
        "membership_unknown",
        Severity.UNKNOWN,
        f"{names} of {cluster.name} {pick(len(unread), 'responds', 'respond')} without a Galera status. It is unknown "
        f"whether {pick(len(unread), 'it is', 'they are')} in the same Primary Component as the others.",
        f"Every account may read it. Check that Galera is loaded on {names} (wsrep_provider, wsrep_on=ON), or shut "
        f"{pick(len(unread), 'it', 'them')} down.",
        {"cluster_id": cluster.id, "nodes": unread},
    )


def _agreement(cluster: ClusterFacts, parts: tuple[Half, ...], seqno: int | None) -> str:
    if len({half.state_uuid for half in parts}) > 1:
        return "They have different state UUIDs, so their seqnos cannot be compared."
    if seqno is None:
        return "Up to which seqno they hold the same is unknown: they were not seen as one."
    is_durable = all(node.variable(DURABLE) in ("1", "3") for half in parts for node in half.nodes)
    unless = "" if is_durable else f", unless a crash took commits back ({DURABLE} is not 1 on each)"
    return f"They hold the same at least up to seqno {seqno:,}{unless}."


def _said(half: Half) -> str:
    more = f" and {pluralize(half.unseen, 'further member')}" if half.unseen else ""
    return f"{_list(half.names)}{more}, at seqno {half.seqno:,}"


def _list(names: list[str] | tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
