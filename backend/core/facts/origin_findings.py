"""The findings of foreign origins and of channels from addresses that no node has, in plans and on the link's page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.facts.channel_ends import End, ForeignChannel, foreign_channels
from backend.core.facts.log_readers import unread_logs
from backend.core.facts.origins import ForeignOrigin, LoopGuard, Way
from backend.core.findings import Finding, Severity
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.plural import pick
from backend.core.topology import ClusterFacts, NodeFacts

_HOW = {
    Way.IGNORED: "ignores it on purpose, and every new one will",
    Way.FED: "must ignore it: {side} has it from that server itself",
    Way.ONLY_HERE: "must ignore it: no log of the other side has it",
    Way.BY_THE_OTHER_SIDE: "brings it there",
}


def foreign_origin_finding(guard: LoopGuard, one: ForeignOrigin) -> Finding:
    """A server_id of neither side, and what the channel does with it."""
    side = guard.receiving.name
    where = f"Transactions of it are in the logs of {side}." if one.nodes else f"The logs of {side} hold none of it."
    return Finding(
        "foreign_origin",
        Severity.INFO,
        f"server_id {one.server_id} is of neither cluster. {where} The {guard.direction} channel "
        f"{_HOW[one.way].format(side=side)}.",
        facts=_facts(guard, one),
    )


def undecided_finding(guard: LoopGuard, one: ForeignOrigin, *, is_attested: bool = False) -> Finding:
    """Ignored they may be lost, and carried they may be applied twice; or a person told that neither happens."""
    side, direction = guard.receiving.name, guard.direction
    start = f"The logs of both sides hold transactions of server_id {one.server_id}, which is of neither cluster."
    if is_attested:
        return Finding(
            "foreign_origin_attested",
            Severity.WARNING,
            f"{start} An operator attested that the {direction} channel need not ignore them.",
            facts=_facts(guard, one),
        )
    return Finding(
        "foreign_origin_unclear",
        Severity.UNKNOWN,
        f"{start} It is unknown by which way they come to {side}. If not by the {direction} channel, they return by it "
        "and are applied again; if by it, they are lost where it ignores them.",
        f"If they are written to {side} or reach it from another server, add {one.server_id} to IGNORE_SERVER_IDS of "
        f"the {direction} channel: STOP SLAVE; CHANGE MASTER with the whole list; START SLAVE. Otherwise add it to "
        f"that of the {direction.other} channel. Then plan again: the plan keeps the list. If nothing writes under it "
        "any more, attest that.",
        {**_facts(guard, one), "option": "attest_origins"},
    )


def _facts(guard: LoopGuard, one: ForeignOrigin) -> Mapping[str, object]:
    return {
        "server_id": one.server_id,
        "direction": guard.direction.value,
        "way": one.way.value,
        "nodes": list(one.nodes),
    }


def ignored_source_finding(guard: LoopGuard, source: ClusterFacts) -> Finding:
    """The list was meant for something else, and drops the transactions of the source."""
    ids = ", ".join(map(str, guard.of_source))
    return Finding(
        "source_ignored",
        Severity.BLOCKER,
        f"The {guard.direction} channel ignores server_id {ids} of its source {source.name}: what bears it does not "
        f"reach {guard.receiving.name}.",
        f"Compare the two sides. Then take {ids} out of IGNORE_SERVER_IDS of the channel. If transactions of both "
        "clusters bear it, a channel by server_ids cannot tell them apart: give the clusters different server_ids.",
        {"server_ids": list(guard.of_source), "direction": guard.direction.value},
    )


def unread_finding(guard: LoopGuard) -> Finding | None:
    """Nodes that do not tell what stands in their logs."""
    names = ", ".join(guard.unread or guard.untold)
    if not names:
        return None
    verb = pick(len(guard.unread or guard.untold), "does", "do")
    return Finding(
        "origins_unknown",
        Severity.UNKNOWN if guard.unread else Severity.WARNING,
        f"{names} {verb} not tell the server_ids of the transactions in the binary log (gtid_binlog_state). The "
        f"{guard.direction} channel ignores the server_ids of nodes, and what it ignored before.",
        "Every account may read gtid_binlog_state of MariaDB. MySQL has no such variable: make sure there that nothing "
        "else writes to the clusters.",
        {"nodes": list(guard.unread or guard.untold), "direction": guard.direction.value},
    )


def incomplete_guard_finding(guard: LoopGuard, missing: Sequence[int]) -> Finding:
    """Transactions of the receiving side return by the channel as it stands."""
    ids = ", ".join(map(str, missing))
    return Finding(
        "loop_guard_incomplete",
        Severity.BLOCKER,
        f"The {guard.direction} channel does not ignore server_id {ids} of its own cluster {guard.receiving.name}. "
        "Those transactions would return and be applied again.",
        "Relocate the link onto the same nodes or others: this sets the whole list.",
        {"missing": list(missing), "direction": guard.direction.value},
    )


def differing_ids_finding(cluster: ClusterFacts, names: Mapping[str, int]) -> Finding:
    """One transaction has another origin and GTID on each of them."""
    seen = ", ".join(f"{name} {server_id}" for name, server_id in names.items())
    return Finding(
        "nodes_log_under_different_ids",
        Severity.BLOCKER,
        f"The nodes of {cluster.name} log the same transaction under different server_ids and GTIDs: {seen}. What the "
        "other side received from one of them cannot be compared with the log of another one.",
        f"Stop writes to {cluster.name} and all its nodes. Start them again with one server_id, so that every node "
        "takes it over, or replace the nodes that differ from the one that the channel reads from by a full state "
        "transfer of that one.",
        {"nodes": dict(names)},
    )


def foreign_channel_finding(one: ForeignChannel, *, refuses: bool = False) -> Finding:
    """A channel whose source is no node of the other side; the default severity is that of its page and of a move."""
    facts = {
        "node": one.replica.node.name,
        "node_id": one.replica.node.id,
        "channel": one.channel.name,
        "source": one.address,
        "end": one.end.value,
        "source_server_id": one.channel.source_server_id,
        "running": one.channel.is_running,
    }
    if one.end is End.REGISTERED:
        return Finding("channel_from_third_cluster", Severity.INFO, one.sentence, _remedy(one), facts)
    severity = {
        End.OTHER_SIDE: Severity.BLOCKER,
        End.OWN_SIDE: Severity.BLOCKER,
        End.RELAY: Severity.BLOCKER,
        End.UNKNOWN: Severity.UNKNOWN,
    }.get(one.end, Severity.BLOCKER if refuses else Severity.WARNING)
    return Finding("channel_source_unregistered", severity, one.sentence, _remedy(one), facts)


def _remedy(one: ForeignChannel) -> str:
    removal = f"remove the channel on {one.replica.node.name} ({one.removal})"
    if one.end is End.OTHER_SIDE:
        return (
            f"Point the channel at the registered address of the node of {one.other.name} that it reads from, at the "
            f"position where it is (STOP SLAVE; CHANGE MASTER with that host, port, file and position; START SLAVE), "
            f"or {removal}. Until then nothing creates or starts a channel beside it."
        )
    if one.end is End.OWN_SIDE:
        return f"It brings {one.side.name} its own transactions again: {removal}."
    if one.end is End.RELAY:
        ids = ", ".join(map(str, one.other.server_ids))
        return (
            f"That server may pass on what {one.other.name} writes, and {one.side.name} gets it twice. Add {ids} to "
            f"IGNORE_SERVER_IDS of this channel (STOP SLAVE; CHANGE MASTER with the whole list; START SLAVE), or "
            f"{removal}."
        )
    if one.end is End.UNKNOWN:
        return (
            f"Let it connect once, so that the server there tells who it is, or {removal}. Until then nothing creates "
            "or starts a channel beside it."
        )
    return (
        f"If it is meant, the channel of this link into {one.side.name} must ignore that server's transactions. To "
        f"create the channels of the link, {removal} first, and set it up again afterwards."
    )


def misdirected_finding(one: ChannelHolder, source: NodeFacts) -> Finding:
    """A proxy or a translated address: what the channel says of its place is of another server's log."""
    seen = one.channel.source_server_id
    return Finding(
        "channel_reads_another_server",
        Severity.BLOCKER,
        f"The {one.direction} channel of {one.replica.node.name} names {one.source.name} as its source, but server_id "
        f"{seen} answers it there. {one.source.name} has server_id {source.server_id}. Its position is one in the log "
        "of that other server.",
        f"Have an administrator check where {source.node.host}:{source.node.port} leads from {one.replica.node.name} "
        "(proxy, virtual address, name resolution). The channel must name the server that it reads from.",
        {"direction": one.direction.value, "source_server_id": seen, "expected_server_id": source.server_id},
    )


def unread_readers_finding(one: ForeignChannel) -> Finding:
    """A third server feeds a side, and nobody can tell whether it reads the other one."""
    names = [node.node.name for node in unread_logs(one.other)]
    return Finding(
        "log_readers_unknown",
        Severity.UNKNOWN,
        f"{one.replica.node.name} has a channel from {one.address}, and {', '.join(names)} "
        f"{pick(len(names), 'does', 'do')} not tell who reads the binary log. If that server reads there and passes on "
        f"what it read, {one.side.name} gets the transactions of {one.other.name} twice.",
        f"Grant PROCESS to the monitor account on {', '.join(names)}. Or add the server_ids of {one.other.name} to "
        "IGNORE_SERVER_IDS of that channel.",
        {"node": one.replica.node.name, "source": one.address, "nodes": names},
    )


def switched_findings(link: LinkFacts) -> Iterator[Finding]:
    """Of channels by a proxy or a virtual address that now lead to another server than before."""
    for one in foreign_channels(link):
        cause = link.other_breaks.get((one.replica.node.id, one.channel.name))
        if cause is None:
            continue
        yield Finding(
            "source_server_changed",
            Severity.BLOCKER if one.is_unclear else Severity.WARNING,
            f"{cause.sentence}. It is not proven that this channel continues without a gap: {one.side.name} may lack "
            "transactions, or hold some twice.",
            "Stop the channel first and compare the data. Point it at a place that is proven in the log of the server "
            f"that it reads from, or remove it ({one.removal}).",
            {**cause.facts, "channel": one.channel.name},
        )
