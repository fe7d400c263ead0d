"""Channels beside those of a link: of other clusters that read from its sides, and from addresses of no node."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import Q

from backend.clusters.models import Link
from backend.core.facts.channel_ends import foreign_channels
from backend.core.facts.log_readers import unseen_readers
from backend.core.facts.serialization import node_from_json
from backend.core.link_facts import LinkFacts, LogBreak
from backend.monitoring.models import NodeState, OtherSource


def with_channels_elsewhere(link: LinkFacts) -> LinkFacts:
    """The link with their number; nothing is read where every session at a source is that of a known channel."""
    sources = {one.source.id: one.source for one in unseen_readers(link)}
    if not sources:
        return link
    shared = Link.objects.filter(Q(active_cluster__in=sources) | Q(standby_cluster__in=sources)).exclude(pk=link.id)
    clusters = {side for pair in shared.values_list("active_cluster", "standby_cluster") for side in pair}
    states = NodeState.objects.filter(node__cluster__in=clusters - {link.active.id, link.standby.id})
    channels = [one for state in states for one in node_from_json(state.facts).channels or () if one.is_running]
    return replace(
        link,
        channels_elsewhere={
            key: sum(side.node_at(one.source_address) is not None for one in channels) for key, side in sources.items()
        },
    )


def with_other_breaks(link: LinkFacts) -> LinkFacts:
    """The link with what is stored of channels from addresses of no node; nothing is read where there is none."""
    nodes = {one.replica.node.id for one in foreign_channels(link)}
    if not nodes:
        return link
    breaks = {
        (row.node_id, row.channel_name): LogBreak(**row.log_break)
        for row in OtherSource.objects.filter(node__in=nodes)
        if row.log_break is not None
    }
    return replace(link, other_breaks=breaks)
