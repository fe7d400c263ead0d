"""Which links a run asks for permission, approval and calendar: all that join a cluster on which its steps act.

Or the same servers, registered a second time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from backend.clusters.models import Cluster, Link, Node
from backend.clusters.versions import links_joining
from backend.core.findings import Finding, Severity
from backend.operations.runs.models import Plan

Steps = Sequence[Mapping[str, Any]]


def asked_links(plan: Plan) -> list[Link]:
    """The plan's own link, then the others by name."""
    return links_asked_for(plan.link, plan.body["steps"])


def links_asked_for(link: Link, steps: Steps) -> list[Link]:
    """The same for steps of a plan of the link, as they are stored."""
    named = _named_in(steps)
    touched = _with_twins(_touched(_sides(link), steps, named, _clusters_of(named)), _state_uuids())
    return [link, *links_joining(touched).exclude(pk=link.pk).order_by("name")]


def shared_cluster_findings(links: Sequence[Link]) -> tuple[Finding, ...]:
    """What a plan says of the links beside its own."""
    return tuple(
        Finding(
            "shared_cluster",
            Severity.INFO,
            f"This plan acts on a cluster that {link.name} joins as well. Its permissions, approval rule and change "
            "calendar are asked, too.",
            facts={"link": link.name, "requires_approval": link.requires_approval},
        )
        for link in links[1:]
    )


def plans_that_wait(plans: Collection[Plan]) -> set[str]:
    """Those of the plans (ids) whose run would ask a link that requires approval; from three queries for all."""
    named = {plan.pk: _named_in(plan.body["steps"]) for plan in plans}
    cluster_of = _clusters_of(set().union(*named.values()))
    links, uuids = Link.objects.in_bulk(), _state_uuids()
    asking = {pk: _sides(link) for pk, link in links.items() if link.requires_approval and link.retired_at is None}
    found = set()
    for plan in plans:
        steps = plan.body["steps"]
        touched = _with_twins(_touched(_sides(links[plan.link_id]), steps, named[plan.pk], cluster_of), uuids)
        if plan.link_id in asking or any(touched & sides for sides in asking.values()):
            found.add(plan.pk)
    return found


def _sides(link: Link) -> set[str]:
    return {link.active_cluster_id, link.standby_cluster_id}


def _touched(sides: set[str], steps: Steps, named: set[str], cluster_of: Mapping[str, str]) -> set[str]:
    """The clusters of all nodes that the steps act on or name in their parameters, and those that they name."""
    acted_on = {step["node_id"] for step in steps} - {None}
    is_known = acted_on <= cluster_of.keys()  # a node that is registered no more may have been of either side
    return {cluster_of[one] for one in named & cluster_of.keys()} | (sides & named if is_known else sides)


def _with_twins(touched: set[str], uuids: Mapping[str, str]) -> set[str]:
    """And the clusters that are registered a second time, under other addresses: they have the same state UUID."""
    of_touched = {uuids[one] for one in touched & uuids.keys()}
    return touched | {one for one, uuid in uuids.items() if uuid in of_touched}


def _state_uuids() -> dict[str, str]:
    rows = Cluster.objects.filter(retired_at=None).exclude(state_uuid=None).values_list("pk", "state_uuid")
    return {pk: str(uuid) for pk, uuid in rows}


def _named_in(steps: Steps) -> set[str]:
    return {one for step in steps for one in _ids_in([step["node_id"], step["params"]])}


def _clusters_of(node_ids: Collection[str]) -> dict[str, str]:
    return dict(Node.objects.filter(pk__in=node_ids).values_list("pk", "cluster_id"))


def _ids_in(value: object) -> Iterator[str]:
    """Texts in it that may be ids of nodes or clusters."""
    if isinstance(value, str):
        if value.startswith(("n_", "c_")):
            yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _ids_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _ids_in(one)
