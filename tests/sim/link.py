"""A link's runs as the console keeps them, and the messages by which alone workers come to hear of them.

The rules are those of backend/operations/runs/services; tests/backend/execution/test_simulated_runs.py holds the two
side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.sim.run import SimRun

AGAIN_AFTER_S = 8.0


@dataclass(slots=True)
class SimLink:
    """`messages` is what Redis holds, oldest first."""

    runs: list[SimRun] = field(default_factory=list)
    messages: list[SimRun] = field(default_factory=list)

    @property
    def unfinished(self) -> SimRun | None:
        """The run that holds the link."""
        return next((run for run in self.runs if not run.is_final), None)

    def start(self, run: SimRun, now_s: float) -> bool:
        """A plan is confirmed: refused where it is old or used, or another run is unfinished.

        One that waits for an operator is superseded instead.
        """
        holder = self.unfinished
        is_taken = holder is not None and holder.state != "needs_operator"
        if is_taken or now_s >= run.plan.expires_at_s or any(one.plan is run.plan for one in self.runs):
            return False
        if holder is not None:
            holder.supersede(run.id)
        self.runs.append(run)
        run.announced_s = now_s
        self.messages.append(run)
        return True

    def abort(self, run: SimRun) -> bool:
        """Ask to abort; a worker is woken for it."""
        is_granted = run.ask_abort()
        if is_granted and run.state == "queued":
            self.messages.append(run)
        return is_granted

    def resume(self, run: SimRun, now_s: float) -> bool:
        """An operator presses Resume."""
        is_granted = run.resume(now_s)
        if is_granted:
            self.messages.append(run)
        return is_granted

    def sweep(self, now_s: float) -> int:
        """A monitor dispatches again for runs that wait, or whose worker's lease ran out; how many."""
        stale = [run for run in self.runs if run.is_free(now_s) and run.announced_s < now_s - AGAIN_AFTER_S]
        for run in stale:
            run.announced_s = now_s
            self.messages.append(run)
        return len(stale)

    def superseded_by(self, run: SimRun) -> list[SimRun]:
        """Those whose place it took."""
        return [one for one in self.runs if one.superseded_by == run.id]
