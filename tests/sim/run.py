"""A run as the console's database keeps it: claimed by compare-and-set, every write fenced by its epoch.

The rules are those of backend/runs/store.py and backend/runs/services.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.core.plan import Plan
from backend.core.runner import Ended, Transition
from tests.fakes.driver import Memory
from tests.sim.snapshot import Snapshot

LEASE_S = 30.0
FINAL = frozenset({"succeeded", "failed", "aborted"})
CLAIMABLE = frozenset({"queued", "running"})


class StaleEpochError(Exception):
    """Another worker holds the run."""


@dataclass(slots=True)
class SimRun:
    """One run; `before` is how the world stood when its plan was made, `intended_tick` when it last looked to send."""

    id: str
    plan: Plan
    before: Snapshot
    memory: Memory = field(init=False)
    state: str = "queued"
    epoch: int = 0
    owner: str = ""
    lease_until_s: float = 0.0
    next_action: str = ""
    intended_tick: int = 0
    states: list[str] = field(default_factory=lambda: ["queued"])

    def __post_init__(self) -> None:
        self.memory = Memory(self.plan)

    @property
    def is_final(self) -> bool:
        """Nothing happens to it any more."""
        return self.state in FINAL

    def go(self, state: str) -> None:
        """Change the state, and keep that it did."""
        self.state = state
        self.states.append(state)

    def claim(self, owner: str, now_s: float) -> int | None:
        """Its new epoch, None where somebody holds it or it is not to be carried on."""
        if self.state not in CLAIMABLE or (self.owner and self.lease_until_s >= now_s):
            return None
        self.epoch += 1
        self.owner, self.lease_until_s = owner, now_s + LEASE_S
        self.go("running")
        return self.epoch

    def check(self, owner: str, epoch: int, now_s: float) -> None:
        """Just before a changing statement: still ours, and the lease lasts."""
        self.mine(owner, epoch)
        if self.lease_until_s < now_s:
            raise StaleEpochError(self.id)

    def mine(self, owner: str, epoch: int) -> None:
        """Every write names the epoch."""
        if (self.owner, self.epoch) != (owner, epoch):
            raise StaleEpochError(self.id)

    def keep(self, transition: Transition, owner: str, epoch: int) -> None:
        """Store a transition, if the writer still holds the run."""
        self.mine(owner, epoch)
        self.memory.keep(transition)
        if isinstance(transition, Ended):
            self.end(transition.state, transition.next_action)

    def end(self, state: str, next_action: str = "") -> None:
        """Over, or in an operator's hands; either way nobody holds it."""
        self.go(state)
        self.owner, self.next_action = "", next_action

    def ask_abort(self) -> bool:
        """Granted only while the way back is open; an unstarted run ends at once."""
        if self.is_final or self.memory.is_past_return or self.memory.is_abort_requested:
            return False
        if self.state == "queued" and self.epoch == 0:
            self.epoch += 1
            self.end("aborted")
            return True
        self.memory.is_abort_requested = True
        if self.state == "needs_operator":
            self.resume()
        return True

    def resume(self) -> None:
        """It looks before it sends."""
        self.memory.end = None
        self.go("queued")

    def supersede(self) -> None:
        """The operator decided for another plan."""
        self.epoch += 1
        self.end("failed")
