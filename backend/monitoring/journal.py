"""The journal as the core reads it, and its thinning with age."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import OuterRef, Q, QuerySet, Subquery

from backend.clusters.models import Node
from backend.common.retention import delete_in_portions
from backend.core.positions import FilePosition, Seqno
from backend.monitoring.models import Checkpoint as CheckpointRow

EACH_SECOND_FOR = timedelta(minutes=10)
EACH_TEN_SECONDS_FOR = timedelta(hours=2)
EACH_MINUTE_FOR = timedelta(days=7)
KEPT_FOR = (EACH_SECOND_FOR, EACH_TEN_SECONDS_FOR, EACH_MINUTE_FOR)
"""By `retention_level`."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Implements `ports.Checkpoint`; `exact`: the group that ends there has this seqno."""

    position: FilePosition
    seqno: int
    observed_at_s: float
    exact: bool


def _valid(node_id: str, **asked: object) -> QuerySet[CheckpointRow]:
    """The node's samples of the log and the history that it has now."""
    return CheckpointRow.objects.filter(node_id=node_id, is_void=False, **asked)


class DbJournal:
    """Implements `ports.Journal` over the console's database. Samples that are void tell only how far a log was."""

    def checkpoint_before(self, node_id: str, seqno: Seqno) -> Checkpoint | None:
        """The latest sample of the node, in the incarnation, at or before `seqno`."""
        rows = _valid(node_id, state_uuid=seqno.state_uuid, seqno__lte=seqno.number)
        return _shape(rows.order_by("-seqno", "-pk").first())

    def checkpoint_at_age(self, node_id: str, state_uuid: str, age_s: float) -> Checkpoint | None:
        """The latest sample of the node that is at least `age_s` seconds older than its newest one."""
        rows = _valid(node_id, state_uuid=state_uuid).order_by("-observed_at")
        newest = rows.first()
        if newest is None or age_s <= 0:
            return _shape(newest)
        return _shape(rows.filter(observed_at__lte=newest.observed_at - timedelta(seconds=age_s)).first())

    def checkpoint_by(self, node_id: str, at: datetime) -> Checkpoint | None:
        """The latest sample of the node at or before that time, under any state UUID."""
        rows = _valid(node_id, observed_at__lte=at)
        return _shape(rows.order_by("-observed_at").first())

    def earliest(self, node_id: str) -> Checkpoint | None:
        """The first sample that is kept of the node's log."""
        return _shape(_valid(node_id).order_by("observed_at").first())

    def checkpoint_at(self, node_id: str, state_uuid: str, position: FilePosition) -> Checkpoint | None:
        """The latest exact sample of the node at or before `position` in its own log."""
        rows = _valid(node_id, state_uuid=state_uuid, exact=True)
        same = rows.filter(file=position.file, offset__lte=position.offset).order_by("-offset", "-observed_at").first()
        before = rows.filter(file__lt=position.file).order_by("-file", "-offset", "-observed_at")
        return _shape(same or before.first())

    def furthest(self, node_id: str) -> Checkpoint | None:
        """The node's sample with the highest position in its log, under any state UUID."""
        rows = CheckpointRow.objects.filter(node_id=node_id)
        return _shape(rows.order_by("-file", "-offset").first())

    def first_of_history(self, node_id: str, state_uuid: str) -> Checkpoint | None:
        """The earliest sample since the node came under this state UUID; None where it had no other before.

        None after a reset of the log, too: its files are numbered from 1 again. Rows decide the order, as clocks may
        be set back.
        """
        rows = CheckpointRow.objects.filter(node_id=node_id)
        former = rows.exclude(state_uuid__in=("", state_uuid)).order_by("-pk").first()
        if former is None:
            return None
        first = rows.filter(state_uuid=state_uuid, pk__gt=former.pk, is_void=False).order_by("pk").first()
        return None if first is None or _is_reset_since(first) else _shape(first)

    def seqno_at(self, node_id: str, state_uuid: str, position: FilePosition) -> int | None:
        """The exact seqno of the group that ends at `position` on the node, where sampled.

        None after a reset of the log: with groups of equal size another one ends at the same position. The order of
        the rows decides which sample is later, as clocks may be set back.
        """
        rows = _valid(node_id, state_uuid=state_uuid, file=position.file, offset=position.offset, exact=True)
        newest = rows.order_by("-pk").first()
        if newest is None:
            return None
        return None if _is_reset_since(newest) else newest.seqno


def _is_reset_since(sample: CheckpointRow) -> bool:
    """Whether a later sample of the node has an earlier position."""
    is_before = Q(file__lt=sample.file) | Q(file=sample.file, offset__lt=sample.offset)
    return CheckpointRow.objects.filter(is_before, node_id=sample.node_id, pk__gt=sample.pk).exists()


def newest_positions(node_ids: Collection[str]) -> dict[str, FilePosition]:
    """The position of each node's newest exact sample, from which its binlog is followed on; two queries for all."""
    exact = CheckpointRow.objects.filter(node_id=OuterRef("pk"), exact=True, is_void=False)
    newest = exact.order_by("-observed_at").values("pk")[:1]
    wanted = Node.objects.filter(pk__in=node_ids).annotate(sample=Subquery(newest)).values_list("sample", flat=True)
    rows = CheckpointRow.objects.filter(pk__in=[sample for sample in wanted if sample is not None])
    found = rows.values_list("node_id", "file", "offset")
    return {node_id: FilePosition(file, offset) for node_id, file, offset in found}


def void_samples(node_ids: Collection[str], state_uuid: str | None = None) -> None:
    """From now on no search rests on the samples of these nodes, or on those of this state UUID.

    They still tell how far a log was: one that ends before was reset.
    """
    rows = CheckpointRow.objects.filter(node_id__in=node_ids, is_void=False)
    (rows if state_uuid is None else rows.filter(state_uuid=state_uuid)).update(is_void=True)


def thin(now: datetime) -> int:
    """Delete samples that are too dense for their age; returns their number, which is bounded for each call."""
    return sum(
        delete_in_portions(CheckpointRow.objects.filter(retention_level=number, observed_at__lt=now - time))
        for number, time in enumerate(KEPT_FOR)
    )


def retention_level(previous: datetime | None, now: datetime) -> int:
    """How long a sample is stored: 2 for the first of a minute, 1 for the first of ten seconds, else 0."""
    if previous is None or _slot(previous, 60) != _slot(now, 60):
        return 2
    return 1 if _slot(previous, 10) != _slot(now, 10) else 0


def _slot(moment: datetime, seconds: int) -> int:
    return int(moment.timestamp()) // seconds


def _shape(row: CheckpointRow | None) -> Checkpoint | None:
    if row is None:
        return None
    position = FilePosition(row.file, row.offset)
    return Checkpoint(position, row.seqno, row.observed_at.timestamp(), row.exact)
