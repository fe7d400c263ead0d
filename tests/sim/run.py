"""A run as the console's database keeps it: claimed by compare-and-set, every write fenced by its epoch.

The rules are those of claim.py and store.py in backend/operations/runs/execution; model and product are held side by
side in tests/backend/execution/test_simulated_runs.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.core.plan import Plan
from backend.core.runner import Ended, StepDone, StepUndone, Transition
from tests.fakes.driver import Memory
from tests.sim.snapshot import Snapshot

LEASE_S = 30.0
FINAL = frozenset({"succeeded", "failed", "aborted"})
CLAIMABLE = frozenset({"queued", "running"})


class StaleEpochError(Exception):
    """Another worker holds the run."""


@dataclass(slots=True)
class SimRun:
    """One run; `before` is how the world stood when its plan was made, `intended_tick` when it last looked to send.

    `lease_until_s` is None where no worker holds it, `may_request`: whether who asked for it still may run plans,
    `superseded_by` the run that took its place. On nodes of `left_alone` an earlier worker's session could not be
    ended: what it sent may still come, and the run's end says so.
    """

    id: str
    plan: Plan
    before: Snapshot
    memory: Memory = field(init=False)
    state: str = "queued"
    epoch: int = 0
    owner: str = ""
    lease_until_s: float | None = None
    announced_s: float = 0.0
    is_started: bool = False
    may_request: bool = True
    superseded_by: str = ""
    next_action: str = ""
    intended_tick: int = 0
    lost_workers: int = 0
    finished: set[int] = field(default_factory=set)
    left_alone: frozenset[str] = frozenset()
    states: list[str] = field(default_factory=lambda: ["queued"])

    def __post_init__(self) -> None:
        self.memory = Memory(self.plan)

    @property
    def is_final(self) -> bool:
        """Nothing happens to it any more."""
        return self.state in FINAL

    def is_free(self, now_s: float) -> bool:
        """To be resumed, and no worker holds it."""
        is_held = self.lease_until_s is not None and self.lease_until_s >= now_s
        return self.state in CLAIMABLE and not is_held

    def go(self, state: str) -> None:
        """Change the state, and keep that it did."""
        self.state = state
        self.states.append(state)

    # -- a worker's hold

    def claim(self, owner: str, now_s: float) -> int | None:
        """Its new epoch, None where a worker holds it, or its requester lost the right before anything began."""
        if not self.is_started and self.state in CLAIMABLE and not self.may_request:
            self.epoch += 1
            self.go("failed")
            return None
        if not self.is_free(now_s):
            return None
        self.epoch += 1
        self.is_started = True
        self.lost_workers += bool(self.owner)
        self.owner, self.lease_until_s = owner, now_s + LEASE_S
        self.go("running")
        return self.epoch

    def mine(self, epoch: int) -> None:
        """Every write names the epoch."""
        if (self.state, self.epoch) != ("running", epoch):
            raise StaleEpochError(self.id)

    def check(self, epoch: int, now_s: float) -> None:
        """Just before a changing statement: still ours, and the lease lasts."""
        self.mine(epoch)
        if self.lease_until_s is None or self.lease_until_s <= now_s:
            raise StaleEpochError(self.id)

    def renew(self, epoch: int, now_s: float) -> None:
        """Hold on."""
        self.mine(epoch)
        self.lease_until_s = now_s + LEASE_S

    def release(self, epoch: int) -> None:
        """Released, so that the next claim need not wait for the lease; harmless where it has ended."""
        if (self.state, self.epoch) == ("running", epoch):
            self._let_go()

    def _let_go(self) -> None:
        self.owner, self.lease_until_s = "", None

    def keep(self, transition: Transition, epoch: int) -> None:
        """Store a transition, if the writer still holds the run."""
        self.mine(epoch)
        self.memory.keep(transition)
        if isinstance(transition, StepUndone):
            self.lost_workers = 0
        if isinstance(transition, StepDone) and transition.step.index not in self.finished:
            self.lost_workers = 0
            self.finished.add(transition.step.index)
        if isinstance(transition, Ended):
            self.finish(transition.state, epoch, transition.next_action)

    def finish(self, state: str, epoch: int, next_action: str = "") -> None:
        """Over, or in an operator's hands; either way no worker holds it."""
        self.mine(epoch)
        self.go(state)
        self._let_go()
        self.lost_workers = 0
        self.next_action = next_action

    def pass_return(self, epoch: int, now_s: float) -> bool:
        """Close the way back; False where an abort was granted first."""
        self.mine(epoch)
        if self.memory.pass_return():
            return True
        self.check(epoch, now_s)
        return False

    # -- what people decide

    def ask_abort(self) -> bool:
        """Granted only while the way back is open; an unstarted run ends at once."""
        if self.state == "queued" and not self.is_started:
            self.epoch += 1
            self.go("aborted")
            return True
        if self.is_final or self.memory.is_past_return or self.memory.is_abort_requested:
            return False
        self.memory.is_abort_requested = True
        if self.state == "needs_operator":
            self._requeue()
        return True

    def resume(self, now_s: float) -> bool:
        """An operator lets it go on: it looks before it sends."""
        if self.state != "needs_operator":
            return False
        self.announced_s = now_s
        self._requeue()
        return True

    def _requeue(self) -> None:
        self.memory.end = None
        self.go("queued")

    def supersede(self, successor_id: str) -> None:
        """The operator decided for another plan."""
        self.epoch += 1
        self.superseded_by = successor_id
        self.go("failed")
