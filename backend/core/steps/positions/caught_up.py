"""Shows that one side has everything the other wrote: the last group has arrived, proven, and none follows."""

from __future__ import annotations

from backend.core.facts.halves import halves, is_split
from backend.core.facts.split_sites import mixed_halves_finding, split_finding
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.ports import Clock
from backend.core.positions import FilePosition
from backend.core.steps.base import Effect, FenceWatch, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.steps.fence_watch import left_s, own_groups, own_groups_at_end
from backend.core.topology import ClusterFacts, Direction

LOST_AFTER_S = 10.0
"""How long a whole side may not respond. After that the fenced side would stay fenced only to wait for a lost one."""

LOOK_AHEAD_S = 0.02
"""What a poll takes: where the watch lasts for longer, one takes none of the write pause."""


class LostSideError(RefusedByFactsError):
    """A side is lost: the two ends of the stream cannot be compared."""


class LostWatchError(RefusedByFactsError):
    """The fence was proven, and the watch that it left to this step is unknown."""


class SplitSideError(RefusedByFactsError):
    """A side is several Primary Components: the end of one log says nothing of what the others committed."""


class WroteBehindFenceError(RefusedByFactsError):
    """The fenced side still writes: what it wrote last is not its last transaction."""


class SilenceTimer:
    """Measures how long no node of a side has responded; `check` raises LostSideError once that is too long."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}

    def check(self, link: LinkFacts) -> LinkFacts:
        """The link's facts unchanged, where neither side has failed to respond for too long."""
        for side in (link.active, link.standby):
            if any(node.is_up for node in side.nodes):
                self._since.pop(side.id, None)
            elif self._silent_s(side) >= LOST_AFTER_S:
                raise LostSideError(f"No node of {side.name} has responded for {LOST_AFTER_S:.0f} s.")
        return link

    def _silent_s(self, side: ClusterFacts) -> float:
        now_s = self._clock.monotonic_s()
        return now_s - self._since.setdefault(side.id, now_s)


class CaughtUp:
    """Implements StepKind; reads only, and waits while the channel still applies.

    A side that continues to write has no last group: everything that it had written when the step started must have
    arrived.
    """

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "compare the log ends")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Proven by the same evidence as a position, within the step's limit and while both sides respond."""
        params = step.params
        looks = iter([ctx.gateway.observe_link()])
        end = SideEnd(Direction(params["direction"]), params["source_node_id"])
        question = LocateRequest(
            direction=Direction(params["direction"]),
            new_source_id=params["source_node_id"],
            new_replica_id=params["replica_node_id"],
            holder_id=params["holder_id"],
            old_source_id=params["source_node_id"],
            is_moving=params["is_moving"],
        )

        silence, watch = SilenceTimer(ctx.clock), _watch(ctx, step)

        def query() -> Proof:
            link = silence.check(next(looks, None) or ctx.gateway.observe_link())
            behind = end.behind(link)
            answer = behind or _answer(ctx.locate(question, link), end.written, step)
            if watch is not None and not answer.is_ok:
                _require_none(own_groups(ctx, watch), watch)
            return answer

        proof = ctx.wait_for(float(params["limit_s"]), query, pause_s=0.05)
        return _ended(ctx, watch, proof) if watch is not None and proof.is_ok and params["ends_watch"] else proof


class SideEnd:
    """The end of what a side wrote, by all of its members: its source's log may be behind its own cluster."""

    def __init__(self, direction: Direction, source_id: str) -> None:
        self._direction, self._source_id = direction, source_id
        self._wanted: int | None = None
        self.written: FilePosition | None = None
        """The end of the source's log once it held all that any member had committed at the first look."""

    def behind(self, link: LinkFacts) -> Proof | None:
        """Why the source's log cannot be compared yet; None once it can. Raises SplitSideError."""
        for side in (link.active, link.standby):
            if is_split(side):
                raise SplitSideError(split_finding(side).message)
            mixed = mixed_halves_finding(side)
            if mixed is not None:
                raise SplitSideError(mixed.message)
        source, side = link.node(self._source_id), link.source_cluster(self._direction)
        if self._wanted is None:
            self._wanted = max((half.seqno for half in halves(side)), default=None)
        held = source.wsrep.last_committed if source.wsrep is not None else None
        if held is None or self._wanted is None or held < self._wanted:
            name = source.node.name
            return Proof(False, f"{name} has not applied all that {side.name} committed ({held} of {self._wanted})")
        if self.written is None:
            self.written = source.binlog.end if source.binlog else None
        return None


def _watch(ctx: StepContext, step: Step) -> FenceWatch | None:
    """The watch over the fenced side that the fence's own step has begun; None where that has ended it.

    Raises LostWatchError where it is unknown.
    """
    fences = (one for one in ctx.plan.steps if one.code == "verify_fence")
    if "watch_of" not in step.params or all("watched_from" not in ctx.results.get(one.index, {}) for one in fences):
        return None
    if step.params["watch_of"] not in ctx.fence_watches:
        raise LostWatchError("It is unknown whether the fenced side wrote since it was fenced.")
    return ctx.fence_watches[step.params["watch_of"]]


def _require_none(own: int, watch: FenceWatch) -> None:
    if own:
        witness, written = watch.witness.node.name, pluralize(own, "transaction")
        raise WroteBehindFenceError(f"{witness} logged {written} of its own despite the fence")


def _ended(ctx: StepContext, watch: FenceWatch, proof: Proof) -> Proof:
    """The proof once the watch has lasted long enough; the nodes that are opened after it are polled meanwhile."""
    if left_s(ctx, watch) > LOOK_AHEAD_S:
        ctx.look_ahead("unfence")
    _require_none(own_groups_at_end(ctx, watch), watch)
    watched_s = round(ctx.clock.monotonic_s() - watch.since_s, 3)
    sentence = f"{proof.sentence}; nothing was written behind the fence"
    return Proof(True, sentence, {**proof.facts, "own_groups": 0, "watched_s": watched_s})


def _answer(located: Located, written: FilePosition | None, step: Step) -> Proof:
    facts = {
        "position": str(located.position),
        "seqno": located.seqno,
        "gtid": located.gtid,
        "seam": list(located.seam),
        "following": len(located.next_groups),
        "evidence": [e.to_json() for e in located.evidence],
    }
    if not located.is_proven or located.position is None:
        return Proof(False, "The log ends cannot be compared. " + " ".join(located.reasons), facts)
    if not located.next_groups:
        return Proof(
            True, f"{located.receiving} has the last transaction of {step.params['side']}: {located.position}", facts
        )
    if step.params["is_moving"] and written is not None and written <= located.position:
        return Proof(True, f"{located.receiving} has everything {step.params['side']} wrote up to {written}", facts)
    return Proof(False, f"{located.receiving} has not received everything from {step.params['side']} yet", facts)


class NoOrphans(CaughtUp):
    """The same proof for a returned side: it holds nothing that the survivor never received."""

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Proven at once, because a fenced side does not change."""
        proof = super().prove(ctx, step)
        following = proof.facts.get("following", 0)
        if not proof.is_ok and following:
            sentence = f"{step.params['side']} holds transactions that the other side never received"
            return Proof(False, f"{sentence}; see the Orphans page", proof.facts)
        return proof
