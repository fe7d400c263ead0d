"""What speaks for and against taking a node away: votes, channels, its donor, and the time until an SST."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.core.adviser.node_absence.cache import cache_of
from backend.core.adviser.node_absence.donors import Donor
from backend.core.adviser.node_absence.forecast import Time, Unlimited
from backend.core.adviser.node_absence.freeze import NOT_FROZEN, OPTION, can_freeze
from backend.core.adviser.node_absence.wording import duration
from backend.core.estimates import Unknown
from backend.core.facts.restarted_fence import restart_opens_finding
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.topology import ClusterFacts, Direction, NodeFacts


@dataclass(frozen=True, slots=True)
class Absence:
    """What a plan knows beside the link's facts.

    `donors` as `donors_for` orders them; `chosen` is the one an operator named. `time` is that until an SST.
    `other_links`: names of further links with a channel on the node. `open_id`: a maintenance of this cluster that has
    not ended.
    """

    node: NodeFacts
    donors: tuple[Donor, ...]
    time: Time
    threshold_s: float
    most_s: float
    chosen: str | None = None
    accepts_sst: bool = False
    other_links: tuple[str, ...] = ()
    open_id: str | None = None

    @property
    def donor(self) -> Donor | None:
        """The one that was named, or the advised one; None where there is none that could serve."""
        if self.chosen is not None:
            return next((one for one in self.donors if one.node.node.id == self.chosen), None)
        return next((one for one in self.donors if one.is_advised), None)


def absence_findings(link: LinkFacts, cluster: ClusterFacts, absence: Absence) -> Iterator[Finding]:
    """In the order in which an operator reads them."""
    yield from _other_maintenance(cluster, absence)
    yield from _channels(link, absence)
    yield _votes(cluster, absence.node)
    yield from _donor(absence)
    yield from _freeze(absence)
    yield _time(absence)
    opens = restart_opens_finding(link, cluster, [absence.node])
    yield from [opens] if opens else ()


def _other_maintenance(cluster: ClusterFacts, absence: Absence) -> Iterator[Finding]:
    if absence.open_id is not None:
        yield Finding(
            "maintenance_open",
            Severity.BLOCKER,
            f"A maintenance of a node of {cluster.name} has not ended ({absence.open_id}).",
            "End it first, on the page Node maintenance of the cluster.",
            {"maintenance_id": absence.open_id},
        )


def _channels(link: LinkFacts, absence: Absence) -> Iterator[Finding]:
    """Neither end of a channel may leave: also as recorded, where a node of the other side does not answer."""
    node = absence.node.node
    unread = [one.node.name for one in link.nodes if one.is_up and one.channels is None]
    ends = {end for d in Direction for h in link.holders(d) for end in (h.source.id, h.replica.node.id)}
    ends |= {end for one in link.recorded for end in (one.source_node_id, one.replica_node_id)}
    if node.id in ends:
        yield Finding(
            "maintenance_node_has_channel",
            Severity.BLOCKER,
            f"{node.name} is an end of a channel of {link.name}: replication stops when it does.",
            "Relocate the link onto other nodes first (plan kind relocate).",
            {"node": node.name},
        )
    elif absence.other_links:
        names = ", ".join(absence.other_links)
        yield Finding(
            "maintenance_node_has_channel",
            Severity.BLOCKER,
            f"{node.name} is an end of a channel of {names}: replication stops when it does.",
            f"Relocate {names} first (plan kind relocate).",
            {"node": node.name, "links": list(absence.other_links)},
        )
    elif unread:
        names = ", ".join(unread)
        yield Finding(
            "maintenance_channels_unknown",
            Severity.UNKNOWN,
            f"The channels on {names} were not read: {node.name} may be the source of one.",
            "Grant SLAVE MONITOR to the monitor account, and create the plan again.",
            {"nodes": unread},
        )
    else:
        yield Finding("maintenance_node_is_free", Severity.OK, f"{node.name} is no end of a channel.")


def _votes(cluster: ClusterFacts, maintained: NodeFacts) -> Finding:
    """The others keep more than half of the votes, even where the node does not leave cleanly."""
    name, members = maintained.node.name, [one for one in cluster.nodes if _is_primary(one)]
    views = {(one.wsrep.conf_id, one.wsrep.cluster_size) for one in members if one.wsrep}
    weights = {one.node.id: one.variable("pc.weight") for one in members}
    unknown = [n for n in members if not (weights[n.node.id] or "").isdigit()]
    if len(views) != 1 or maintained.node.id not in weights or unknown:
        return Finding(
            "maintenance_votes_unknown",
            Severity.UNKNOWN,
            f"It is unknown whether {cluster.name} keeps its quorum without {name}: its members do not report one "
            "size and their pc.weight.",
            "Wait until every member answers, and create the plan again.",
        )
    size = next(iter(views))[1]
    if size < len(members):
        return Finding(
            "maintenance_votes_unknown",
            Severity.UNKNOWN,
            f"{len(members)} nodes of {cluster.name} answer as members, but the cluster counts {size}.",
            "Wait until the cluster is stable, and create the plan again.",
        )
    votes = {node_id: int(text or "0") for node_id, text in weights.items()}
    return _judged_votes(cluster, maintained, votes, arbitrators=size - len(members))


def _judged_votes(cluster: ClusterFacts, maintained: NodeFacts, votes: dict[str, int], *, arbitrators: int) -> Finding:
    """`arbitrators`: members that are not registered, as an arbitrator; each counts as one vote."""
    name, own = maintained.node.name, votes[maintained.node.id]
    rest = [vote for node_id, vote in votes.items() if node_id != maintained.node.id] + [1] * arbitrators
    left = sum(rest)
    facts = {"votes": left + own, "votes_left": left}
    if left * 2 <= left + own:
        return Finding(
            "maintenance_quorum_lost",
            Severity.BLOCKER,
            f"Without {name}, {cluster.name} keeps {left} of {left + own} votes: if it does not stop cleanly, the "
            "others stop to serve.",
            "Add a node or an arbitrator (garbd) first.",
            facts,
        )
    if (left - max(rest)) * 2 <= left:
        return Finding(
            "maintenance_no_spare_vote",
            Severity.WARNING,
            f"Without {name}, {cluster.name} keeps its quorum ({left} of {left + own} votes). If one more node fails "
            "meanwhile, the rest stops to serve.",
            "Keep the maintenance short, or add an arbitrator (garbd) first.",
            facts,
        )
    return Finding(
        "maintenance_quorum_kept",
        Severity.OK,
        f"Without {name}, {cluster.name} keeps its quorum, also if one more node fails.",
        facts=facts,
    )


def _is_primary(node: NodeFacts) -> bool:
    return node.is_up and node.wsrep is not None and node.wsrep.cluster_status == "Primary"


def _donor(absence: Absence) -> Iterator[Finding]:
    donor, name = absence.donor, absence.node.node.name
    if donor is None or not donor.is_possible:
        why = " ".join(donor.reasons_against) if donor else "No other node of its cluster is a Synced member."
        yield Finding(
            "maintenance_no_donor",
            Severity.BLOCKER,
            f"{name} has no donor{f' in {donor.node.node.name}' if donor else ''}: {why}",
            "Choose a Synced member of the same cluster, or bring one back first.",
        )
        return
    if donor.unknown:
        yield Finding(
            "maintenance_donor_unknown",
            Severity.UNKNOWN,
            f"Whether {donor.node.node.name} is a good donor is unknown. {' '.join(donor.unknown)}",
            "Wait until the monitor has counted write-sets for some minutes, or choose another donor.",
            {"donor": donor.node.node.name},
        )
        return
    unfit = _unfit(absence.donors, donor)
    facts = {"donor": donor.node.node.name, "against": list(donor.reasons_against)}
    if unfit is not None:
        yield Finding(
            "maintenance_donor_unfit",
            Severity.BLOCKER,
            f"{donor.node.node.name} is no good donor: {' '.join(donor.reasons_against)}",
            f"Choose {unfit.node.node.name}.",
            facts,
        )
    elif donor.reasons_against:
        yield Finding(
            "maintenance_donor_compromise",
            Severity.WARNING,
            f"{donor.node.node.name} is the donor, with reservations: {' '.join(donor.reasons_against)}",
            "A donor is not Synced while it sends. Prefer another member once there is one.",
            facts,
        )
    else:
        reasons = " ".join(donor.reasons_for)
        yield Finding(
            "maintenance_donor_fit", Severity.OK, f"{donor.node.node.name} is the donor. {reasons}", facts=facts
        )


def _unfit(donors: Sequence[Donor], donor: Donor) -> Donor | None:
    """The donor to choose instead: a possible one against which nothing speaks, where something speaks against this."""
    if not donor.reasons_against:
        return None
    return next((one for one in donors if one.is_possible and not one.reasons_against), None)


def _freeze(absence: Absence) -> Iterator[Finding]:
    donor = absence.donor
    if donor is None or not donor.is_possible:
        return
    name, can, held = donor.node.node.name, can_freeze(donor.node), cache_of(donor.node).downto
    if can is True and isinstance(held, Unknown):
        can = held
    if isinstance(can, Unknown):
        yield Finding(
            "maintenance_freeze_unknown",
            Severity.UNKNOWN,
            f"Whether the provider of {name} can keep its write-sets is unknown: {can.reason}",
            "Create the plan again once the node was read.",
        )
    elif not can:
        yield Finding(
            "maintenance_freeze_missing",
            Severity.INFO,
            f"The provider of {name} has no {OPTION}: its gcache drops write-sets as always, and the time counts.",
        )
    elif donor.node.variable(OPTION) != NOT_FROZEN:
        yield Finding(
            "maintenance_frozen_already",
            Severity.BLOCKER,
            f"The gcache of {name} is frozen already ({OPTION}={donor.node.variable(OPTION)}), and not by Hawser.",
            f"Find out by whom, and set {OPTION} to {NOT_FROZEN}.",
            {"value": donor.node.variable(OPTION)},
        )
    else:
        yield Finding(
            "maintenance_freeze_possible",
            Severity.OK,
            f"{name} keeps its write-sets for {duration(absence.most_s)} at most: its gcache grows meanwhile.",
        )


def _time(absence: Absence) -> Finding:
    name, time = absence.node.node.name, absence.time
    if isinstance(time, Unknown):
        return Finding(
            "maintenance_time_unknown",
            Severity.UNKNOWN,
            f"For how long {name} may be away is unknown: {time.reason}",
            "Wait until the monitor has counted write-sets for some minutes, and create the plan again.",
        )
    if isinstance(time, Unlimited):
        return Finding("maintenance_time_ample", Severity.OK, f"{name} may be away for any time: {time.reason}")
    facts = {"seconds": time, "threshold_s": absence.threshold_s, "most_s": absence.most_s}
    sentence = f"{name} may be away for {duration(time)} before it needs an SST."
    donor = absence.donor
    if donor is not None and donor.is_possible and can_freeze(donor.node) is True:
        return Finding("maintenance_time_ample", Severity.OK, f"{sentence} Frozen, for longer.", facts=facts)
    if time < absence.threshold_s:
        severity = Severity.WARNING if absence.accepts_sst else Severity.BLOCKER
        return Finding(
            "maintenance_time_short",
            severity,
            f"{sentence} The threshold is {duration(absence.threshold_s)}.",
            "Wait for a time of fewer writes, raise gcache.size, or accept an SST.",
            {**facts, "option": "accept_sst"},
        )
    if time < absence.most_s:
        return Finding(
            "maintenance_time_limited",
            Severity.WARNING,
            f"{sentence} The maintenance may last for {duration(absence.most_s)}.",
            "Start the node again before that, or expect an SST.",
            facts,
        )
    return Finding("maintenance_time_ample", Severity.OK, sentence, facts=facts)
