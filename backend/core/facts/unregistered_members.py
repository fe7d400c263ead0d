"""Members of a cluster that are not registered: the console neither sees nor fences them."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.facts.halves import views
from backend.core.facts.named_members import newest_views, parse_address
from backend.core.findings import Finding, Severity
from backend.core.plural import pick, pluralize
from backend.core.topology import ClusterFacts


@dataclass(frozen=True, slots=True)
class UnregisteredMembers:
    """Members that are servers and that no registered node is: so many at `least`.

    `addresses`: as those members state them that no responding node was recognised as. Some may be registered nodes
    that do not respond and state another address than they are registered with.
    """

    least: int = 0
    addresses: tuple[str, ...] = ()


def unregistered_members(cluster: ClusterFacts) -> UnregisteredMembers:
    """By the newest view of the members that respond; none where there is no view, or where views differ.

    An arbitrator (garbd) states an empty address; it holds no data and accepts no writes.
    """
    newest = newest_views(cluster)
    if not newest:
        # A member that listens on two addresses states both: the places of the members are unknown, not their number.
        found = views(cluster)
        servers = found[0].servers if len(found) == 1 and found[0].stated else 0
        return UnregisteredMembers(max(0, servers - len(cluster.nodes)))
    entries = newest[0][1].incoming_addresses
    recognised = {view.local_index for _, view in newest}
    if None in recognised:
        least = len([text for text in entries if text]) - len(cluster.nodes)
        return UnregisteredMembers(max(0, least))
    unrecognised = [text for index, text in enumerate(entries) if text and index not in recognised]
    responding = [node.node.id for node, _ in newest]
    silent = [node.node.address for node in cluster.nodes if node.node.id not in responding]
    unknown_addresses = tuple(text for text in unrecognised if parse_address(text) not in (None, *silent))
    return UnregisteredMembers(max(0, len(unrecognised) - len(silent)), unknown_addresses)


def not_registered_finding(cluster: ClusterFacts, *, refuses: bool) -> Finding | None:
    """Where members are certainly not registered; it refuses a plan, or warns."""
    found = unregistered_members(cluster)
    if not found.least:
        return None
    where = f" ({', '.join(found.addresses)})" if found.addresses else ""
    return Finding(
        "member_not_registered",
        Severity.BLOCKER if refuses else Severity.WARNING,
        f"{pluralize(found.least, 'member')} of {cluster.name} {pick(found.least, 'is', 'are')} not registered{where}. "
        "A fence would not cover it, a channel on it would not be seen, and no channel ignores its server_id.",
        f"Add it on the page of {cluster.name}, which offers it, or stop its server.",
        {"cluster_id": cluster.id, "least": found.least, "addresses": list(found.addresses)},
    )


def not_recognised_finding(cluster: ClusterFacts) -> Finding | None:
    """Where a member is a registered node that does not respond, or one that is not registered."""
    found = unregistered_members(cluster)
    if found.least or not found.addresses:
        return None
    return Finding(
        "member_not_recognised",
        Severity.WARNING,
        f"No responding node of {cluster.name} is its member at {', '.join(found.addresses)}. That is a registered "
        "node that states another address, or a server that is not registered.",
        f"Find out which server it is before you attest that a node of {cluster.name} is fenced.",
        {"cluster_id": cluster.id, "addresses": list(found.addresses)},
    )
