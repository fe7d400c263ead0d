"""The steps that fence and unfence a side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from backend.core.checks.context import CheckContext
from backend.core.dialects import dialect_of
from backend.core.link_facts import ChannelHolder
from backend.core.plans.builders.step_list import StepList
from backend.core.topology import ClusterFacts, NodeFacts


def fence_steps(
    steps: StepList, cluster: ClusterFacts, *, rejects: bool = False, stays: bool = False, **watch: Any
) -> None:
    """Fence every node of the cluster that responds and is writable, and test the fence.

    `watch`: `is_watched_on` where a later step ends the watch over the side's own writes.
    With `stays` the undo of the run leaves the fence: unfenced, both sides would be writable (found by simulation).
    """
    for node in cluster.nodes:
        if node.is_up and _value(node, "read_only") != "ON":
            _set(steps, "fence", f"{node.node.name}: stop writes", node, "read_only", "ON", stays=stays)
    for node in cluster.nodes:
        if rejects and node.is_up and _value(node, "wsrep_reject_queries") == "NONE":
            _set(steps, "reject_queries", f"{node.node.name}: reject clients", node, "wsrep_reject_queries", "ALL")
    every = f"every node of {cluster.name}" + ("" if all(node.is_up for node in cluster.nodes) else " that responds")
    steps.add(
        "verify_fence",
        f"Try to write on {every}: each write must fail, and the side must write nothing",
        cluster_id=cluster.id,
        side=cluster.name,
        **watch,
    )


def fence_returned_steps(
    steps: StepList, cluster: ClusterFacts, holders: Iterable[ChannelHolder], nodes: Sequence[NodeFacts]
) -> None:
    """Fence these nodes of a lost side, stop their channels from the survivor, test the fence; no step is undone."""
    for node in nodes:
        if _value(node, "read_only") != "ON":
            _set(steps, "fence", f"{node.node.name}: stop writes", node, "read_only", "ON", stays=True)
    node_ids = [node.node.id for node in nodes]
    for holder in holders:
        if holder.replica.node.id in node_ids and holder.channel.is_running:
            steps.add(
                "stop_channel",
                f"{holder.replica.node.name}: stop the channel from {holder.source.name} before it overwrites orphans",
                holder.replica,
                sql=(dialect_of(holder.replica).stop_slave(holder.channel.name),),
                direction=holder.direction.value,
                name=holder.channel.name,
                source=list(holder.channel.source_address),
                io_was=holder.channel.io_running,
                sql_was=holder.channel.sql_running,
            )
    names = ", ".join(node.node.name for node in nodes)
    steps.add(
        "verify_fence", f"Try to write on {names}: each write must fail", cluster_id=cluster.id, node_ids=node_ids
    )


def open_steps(steps: StepList, nodes: Iterable[NodeFacts], **params: Any) -> None:
    """Unfence every node that responds and is fenced; `params` are added to each step that allows writes."""
    for node in nodes:
        if node.is_up and _value(node, "wsrep_reject_queries") not in ("NONE", None):
            title = f"{node.node.name}: accept clients again"
            _set(steps, "accept_queries", title, node, "wsrep_reject_queries", "NONE")
        if node.is_up and _value(node, "read_only") != "OFF":
            _set(steps, "unfence", f"{node.node.name}: allow writes", node, "read_only", "OFF", **params)


def release_steps(steps: StepList, nodes: Iterable[NodeFacts]) -> None:
    """Allow writes again on nodes that were writable before this plan fenced them."""
    for node in nodes:
        if node.is_up and _value(node, "read_only") == "OFF":
            title = f"{node.node.name}: allow writes again"
            _set(steps, "unfence", title, node, "read_only", "OFF", was="ON")


def readmit_steps(steps: StepList, nodes: Iterable[NodeFacts]) -> None:
    """Accept clients again on nodes on which this plan rejected them; the nodes stay read-only.

    A node that rejects queries cannot show a probe either: 1047 even for SELECT (observed on MariaDB 10.11.19).
    """
    for node in nodes:
        if node.is_up and _value(node, "wsrep_reject_queries") == "NONE":
            title = f"{node.node.name}: accept clients again, read-only"
            _set(steps, "restore_queries", title, node, "wsrep_reject_queries", "NONE", was="ALL")


def _value(node: NodeFacts, variable: str) -> str | None:
    value = node.variable(variable)
    return value.upper() if value is not None else None


def _set(
    steps: StepList,
    code: str,
    title: str,
    node: NodeFacts,
    variable: str,
    wanted: str,
    *,
    was: str | None = None,
    stays: bool = False,
    **params: Any,
) -> None:
    dialect, was = dialect_of(node), was or _value(node, variable)
    assert was is not None
    steps.add(
        code,
        title,
        node,
        sql=(dialect.set_global(variable, wanted),),
        undo=() if stays else (dialect.set_global(variable, was),),
        variable=variable,
        wanted=wanted,
        was=was,
        **params,
    )


def swap_step(steps: StepList, ctx: CheckContext) -> None:
    """The step that makes the other side active; it is the point of no return."""
    old, new = ctx.link.active, ctx.link.standby
    steps.add(
        "swap_roles",
        f"{new.name} becomes active, {old.name} standby",
        pnr=True,
        active=new.id,
        active_name=new.name,
        standby=old.id,
        standby_name=old.name,
    )
