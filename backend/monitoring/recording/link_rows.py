"""What is stored of the links of a tick, read in a fixed number of queries for all of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import QuerySet

from backend.core.facts.serialization import divergence_from_json
from backend.core.link_facts import Divergence, RecordedChannel
from backend.monitoring.link_gateway import recorded_of
from backend.monitoring.models import ChannelRecord, CleanupDue, LinkStatus, ProofPeriod, StrayChannel
from backend.monitoring.models import Divergence as DivergenceRow


@dataclass(slots=True)
class LinkRows:
    """Of one link; what writes a row changes it in this object, too."""

    status: LinkStatus | None = None
    records: dict[str, ChannelRecord] = field(default_factory=dict)
    due: list[CleanupDue] = field(default_factory=list)
    strays: list[StrayChannel] = field(default_factory=list)
    divergence: Divergence | None = None
    proofs: dict[str, ProofPeriod] = field(default_factory=dict)
    """The latest periods, by the cluster that receives."""

    @property
    def recorded(self) -> tuple[RecordedChannel, ...]:
        """As `link_gateway.recorded_channels`."""
        return recorded_of(list(self.records.values()), self.due)


def rows_of(link_ids: Collection[str]) -> dict[str, LinkRows]:
    """By link; six queries, however many links there are."""
    found = {link_id: LinkRows() for link_id in link_ids}
    for status in LinkStatus.objects.filter(link__in=link_ids):
        found[status.link_id].status = status
    for record in _records_of(link_ids):
        found[record.link_id].records[record.direction] = record
    for due in CleanupDue.objects.filter(link__in=link_ids).order_by("pk"):
        found[due.link_id].due.append(due)
    for stray in StrayChannel.objects.filter(link__in=link_ids).order_by("pk"):
        found[stray.link_id].strays.append(stray)
    for row in DivergenceRow.objects.filter(open_link__in=link_ids):
        found[str(row.open_link)].divergence = divergence_from_json(row.facts)
    for proof in ProofPeriod.objects.filter(link__in=link_ids, is_latest=True):
        found[proof.link_id].proofs[proof.receiving_cluster_id] = proof
    return found


def _records_of(link_ids: Collection[str]) -> QuerySet[ChannelRecord]:
    return ChannelRecord.objects.filter(link__in=link_ids).select_related("source_node__log").order_by("pk")
