"""A journal in memory."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.positions import FilePosition, Seqno


@dataclass(frozen=True, slots=True)
class FakeCheckpoint:
    """Implements `Checkpoint`; `exact` says that the group ending there has this seqno."""

    node_id: str
    state_uuid: str
    position: FilePosition
    seqno: int
    observed_at_s: float
    exact: bool = True


class FakeJournal:
    """Implements `Journal` over a list of samples."""

    def __init__(self) -> None:
        self.samples: list[FakeCheckpoint] = []

    def add(self, sample: FakeCheckpoint) -> None:
        """Keep one sample."""
        self.samples.append(sample)

    def _of(self, node_id: str, state_uuid: str) -> list[FakeCheckpoint]:
        return [s for s in self.samples if s.node_id == node_id and s.state_uuid == state_uuid]

    def checkpoint_before(self, node_id: str, seqno: Seqno) -> FakeCheckpoint | None:
        """Latest sample at or before `seqno`."""
        found = [s for s in self._of(node_id, seqno.state_uuid) if s.seqno <= seqno.number]
        return max(found, key=lambda s: (s.seqno, s.observed_at_s), default=None)

    def checkpoint_at_age(self, node_id: str, state_uuid: str, age_s: float) -> FakeCheckpoint | None:
        """Latest sample at least `age_s` older than the newest."""
        samples = self._of(node_id, state_uuid)
        newest = max((s.observed_at_s for s in samples), default=0.0)
        return max((s for s in samples if s.observed_at_s <= newest - age_s), key=_time, default=None)

    def checkpoint_at(self, node_id: str, state_uuid: str, position: FilePosition) -> FakeCheckpoint | None:
        """Latest exact sample at or before `position` in that node's own log."""
        found = [s for s in self._of(node_id, state_uuid) if s.exact and s.position <= position]
        return max(found, key=lambda s: (s.position.number, s.position.offset, s.observed_at_s), default=None)

    def furthest(self, node_id: str) -> FakeCheckpoint | None:
        """The sample furthest on, under whatever state UUID."""
        samples = (s for s in self.samples if s.node_id == node_id)
        return max(samples, key=lambda s: (s.position.number, s.position.offset), default=None)

    def first_of_history(self, node_id: str, state_uuid: str) -> FakeCheckpoint | None:
        """The earliest sample since another state UUID; None without one, and once the log was reset."""
        samples = [s for s in self.samples if s.node_id == node_id]
        former = max((i for i, s in enumerate(samples) if s.state_uuid != state_uuid), default=None)
        since = samples[former + 1 :] if former is not None else []
        is_reset = any(s.position < since[0].position for s in since)
        return since[0] if since and not is_reset else None

    def seqno_at(self, node_id: str, state_uuid: str, position: FilePosition) -> int | None:
        """The seqno of the group that ends exactly there; None once the log was reset."""
        same = [s for s in self._of(node_id, state_uuid) if s.exact and s.position == position]
        if not same:
            return None
        since = self.samples[self.samples.index(same[-1]) + 1 :]
        began_anew = any(s.node_id == node_id and s.position < position for s in since)
        return None if began_anew else same[-1].seqno


def _time(sample: FakeCheckpoint) -> float:
    return sample.observed_at_s
