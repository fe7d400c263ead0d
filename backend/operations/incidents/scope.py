"""The registered links that a lost site or node touches, each with the operation that the console recommends."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import links, node_get, registered_link_get
from backend.common.errors import invalid
from backend.core.incidents.proposal import Proposal, ranked
from backend.core.incidents.scope import (
    LinkRole,
    LinkSides,
    ScopeKind,
    Side,
    SideNode,
    Touched,
    touched_by_node,
    touched_by_site,
)
from backend.monitoring.models import LinkStatus
from backend.monitoring.selectors import link_view


@dataclass(frozen=True, slots=True)
class TouchedLink:
    """A touched link, why it is touched, and what is proposed for it."""

    link: Link
    touched: Touched
    proposal: Proposal
    label: str
    options: dict[str, Any]
    no_operation: str


def scope_name(kind: str, value: str) -> str:
    """The scope as people call it: the site, or the node with its host."""
    if kind != ScopeKind.NODE:
        return value
    node = node_get(value)
    return f"{node.name} of {node.cluster.name}"[:63]


def touched_links(
    kind: str, value: str, link_ids: Sequence[str] = (), *, allowed: Collection[str] | None = None
) -> list[TouchedLink]:
    """What the loss touches, in the order that is proposed; with `allowed` as if there were only these links."""
    found = _touched(kind, value, link_ids, allowed)
    shown = {one.link.id: one for one in (_proposed(link, touched) for link, touched in found)}
    return [shown[one.link_id] for one in ranked(one.proposal for one in shown.values())]


def _touched(
    kind: str, value: str, link_ids: Sequence[str], allowed: Collection[str] | None
) -> list[tuple[Link, Touched]]:
    if kind == ScopeKind.LINKS:
        chosen = [registered_link_get(link_id) for link_id in dict.fromkeys(link_ids)]
        return [(link, Touched(link.id, LinkRole.CHOSEN, "An operator chose this link.")) for link in chosen]
    registered = {link.id: link for link in links() if allowed is None or link.id in allowed}
    sides = [_sides(link) for link in registered.values()]
    if kind == ScopeKind.SITE:
        if all(value not in (one.active.site, one.standby.site) for one in sides):
            raise invalid("site", f"No cluster of a link is at a site named {value}. Name the site of a cluster.")
        found = touched_by_site(sides, value)
    else:
        node = node_get(value)
        found = touched_by_node(sides, SideNode(node.id, node.name, node.host))
    return [(registered[one.link_id], one) for one in found]


def _sides(link: Link) -> LinkSides:
    return LinkSides(link.id, _side(link.active_cluster), _side(link.standby_cluster))


def _side(cluster: Cluster) -> Side:
    nodes = tuple(SideNode(node.id, node.name, node.host) for node in cluster.nodes.all())
    return Side(cluster.name, cluster.site, nodes)


def _proposed(link: Link, touched: Touched) -> TouchedLink:
    """By what the monitor stored; a status that is too old proposes nothing."""
    shown = link_view(link)
    action = shown["primary_action"]
    at_risk = next((_missing(c) for c in shown["channels"] if c["direction"] == "forward"), None)
    proposal = Proposal(
        link_id=link.id,
        link_name=link.name,
        kind=action["kind"] if action else None,
        at_risk=at_risk,
        outage_since_s=_outage_since_s(link, shown),
    )
    return TouchedLink(
        link=link,
        touched=touched,
        proposal=proposal,
        label=action["label"] if action else "",
        options=dict(action["url_options"]) if action else {},
        no_operation="" if action else f"No operation is recommended: {shown['sentence']}",
    )


def _outage_since_s(link: Link, shown: dict[str, Any]) -> float | None:
    """When the forward channel last replicated; None while it does, and where that was never seen."""
    if any(c["direction"] == "forward" and c["state"] == "running" for c in shown["channels"]):
        return None
    status = LinkStatus.objects.filter(pk=link.pk).first()
    last_ok = None if status is None else status.last_ok.get("forward")
    return None if last_ok is None else float(last_ok)


def _missing(channel: Mapping[str, Any]) -> int | None:
    """What the standby lacks; of a lost side as many as were read of it."""
    gap = channel["gap_transactions"]
    return channel.get("gap_at_least") if gap is None else gap
