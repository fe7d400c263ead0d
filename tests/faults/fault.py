"""One fault, from its seed to its verdict: the words that fault tests are written in."""

from __future__ import annotations

import random
import signal
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from deploy.lab.verify.judge import Verdict as Judged
from tests.faults.judges import channels, general_log, record, sampling, statements
from tests.faults.parts.sampler import Sampler
from tests.faults.stack import FaultStack
from tests.galera.console import Json, describe, refusals, sentences
from tests.galera.scene import Scene
from tests.galera.worker_kill import kill_worker
from tests.support.waiting import patience, wait_for

LEASE_S = 4.0
MOVE_AFTER = 90
"""Looks, half a second apart, after which a broken link is moved."""
LONG_RECORD_BYTES = 3_000_000
"""Of ledgers; some 45,000 writes, of which each is looked for on six nodes."""


@dataclass
class Verdict:
    """What one fault came to; kept for the results page."""

    faults: tuple[str, ...]
    seed: int
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    statements: int = 0
    runs: int = 0
    recovery_s: float = 0.0


@dataclass
class Fault(Scene):
    """A scene on the stack under fault."""

    stack: FaultStack
    rng: random.Random = field(default_factory=random.Random)
    verdict: Verdict = field(default_factory=lambda: Verdict((), 0))
    is_judged: bool = False
    _since: datetime = field(default_factory=lambda: datetime.now(UTC))
    _running: list[str] = field(default_factory=list)
    _counted: tuple[int, int] = (0, 0)
    _struck: float = 0.0
    _asked: int = 0
    _sleepers: list[Any] = field(default_factory=list)
    _mending: random.Random = field(default_factory=random.Random)
    """Heals draw apart: how long one takes must not change what the seed draws next."""

    # -- beginning

    def arm(self) -> None:
        """From here on every statement is judged."""
        self._since = datetime.now(UTC)
        self._counted = self.verdict.runs, self.verdict.statements
        for listener in self.stack.listeners:
            listener.skip()
        self._sampler.samples.clear()
        self._running = [name for name in self.nodes() if self.is_up(name) and self._runs_channel(name)]

    @property
    def _sampler(self) -> Sampler:
        assert self.stack.sampler is not None, "the stack is not up"
        assert self.stack.sampler.is_at_work
        return self.stack.sampler

    def _runs_channel(self, name: str) -> bool:
        shown = self.sql(name, "SHOW ALL SLAVES STATUS")
        return any({row["Slave_IO_Running"], row["Slave_SQL_Running"]} != {"No"} for row in shown)

    def afresh(self) -> None:
        """An empty record under a fresh load; what is released was judged to its last write and statement."""
        self.stop_writes()
        self.judge_writes()
        self.judge_statements()
        self.stack.lab.forget_writes()
        for listener in self.stack.listeners:
            listener.forget()
        self.stack.lab.load_start(self.load)
        self.arm()

    def has_long_record(self) -> bool:
        """Whether judging all of it again would take longer than beginning a new one."""
        return sum(file.stat().st_size for file in self.stack.lab.paths.ledgers.iterdir()) > LONG_RECORD_BYTES

    # -- words

    def other_pair(self, rng: random.Random | None = None) -> dict[str, str]:
        """Options of a relocate of both channels onto other nodes, drawn by the seed."""
        source, replica = self.pair()
        return {
            "source_node": self.console.node_id(self._drawn(source, rng or self.rng)),
            "replica_node": self.console.node_id(self._drawn(replica, rng or self.rng)),
        }

    def _drawn(self, name: str, rng: random.Random) -> str:
        return rng.choice([n for n in self.nodes() if n[:4] == name[:4] and n != name and self.is_up(n)])

    def ready(self, kind: str = "relocate", **options: Any) -> Json:
        """A ready plan."""
        plan = self.console.plan(kind, **options)
        assert plan["state"] == "ready", sentences(plan)
        return plan

    def start(self, plan: Json) -> str:
        """Confirm it; the run's id."""
        answer = self.console.start(plan)
        assert answer.status == 202, answer
        return str(answer.body["id"])

    def settled_pair(self) -> dict[str, str]:
        """As `other_pair`, once the monitor saw the last move."""
        self.pair_now()
        return self.other_pair()

    def ready_soon(self) -> Json:
        """A ready plan as soon as the console knows enough again."""
        wait_for(lambda: self.console.link()["state"] == "protected", "the link to be protected")
        return self.ready(**self.other_pair())

    def groups_applied(self, replica: str) -> int:
        """Transactions that its channel has applied so far."""
        return int(self.sql(replica, "SHOW SLAVE STATUS")[0]["Slave_Transactional_Groups"])

    def wait_applied(self, replica: str, count: int = 1) -> None:
        """Its channel has applied so many more transactions."""
        before = self.groups_applied(replica)
        wait_for(lambda: self.groups_applied(replica) >= before + count, f"{replica} to apply {count}", pause_s=0.05)

    def epochs(self, run_id: str) -> int:
        """How often the run was claimed."""
        page = self.console.get(f"/audit?run={run_id}&action=worker:run:claim&limit=200")
        return len(page["results"])

    def supersede(self) -> None:
        """What an operator does with a run that stopped for one: a new plan."""
        self.succeeded(self.console.run_planned("relocate", **self.other_pair()))

    def run_of(self, run_id: str) -> Json:
        """A run as it stands."""
        return self.console.get(f"/runs/{run_id}")

    def died_at(self, run_id: str, boundary: str) -> None:
        """A worker takes the run and is killed at a boundary; recovery counts from there."""
        kill_worker(self, run_id, boundary)
        self.strike()

    def stopped_at(self, run_id: str, boundary: str) -> Any:
        """A worker that sleeps (SIGSTOP) at a boundary."""
        sleeper = self.stack.drive_in_background(run_id, f"{boundary}:stop")
        self._sleepers.append(sleeper)
        wait_for(lambda: self.stack.is_stopped(sleeper), f"the worker to stop at {boundary}", pause_s=0.05)
        self.strike()
        return sleeper

    def wake(self, sleeper: Any, limit_s: float) -> None:
        """SIGCONT; the worker goes on to its own end."""
        sleeper.send_signal(signal.SIGCONT)
        sleeper.wait(timeout=limit_s * patience())

    def end_sleepers(self) -> None:
        """Workers that a failed test left asleep, or on their way there."""
        for sleeper in self._sleepers:
            if sleeper.poll() is None:
                sleeper.kill()
                sleeper.wait()
        self._sleepers.clear()

    def strike(self) -> None:
        """The fault is in: recovery counts from now."""
        self._struck = time.monotonic()

    def carried_on(self, run_id: str, limit_s: float = 60) -> Json:
        """Workers take the run until it is over."""

        def over() -> bool:
            self.stack.drive(run_id)
            return self.run_of(run_id)["state"] not in ("queued", "running")

        wait_for(over, f"run {run_id} to be over", limit_s)
        return self.recovered(self.run_of(run_id))

    def ended(self, run_id: str, limit_s: float = 420) -> Json:
        """The run as the stack's own worker ends it; behind a channel that is a minute late its probes take minutes."""
        run = self.console.wait_run(run_id, limit_s)
        assert run["state"] not in ("queued", "running"), describe(run)
        return self.recovered(run)

    def recovered(self, run: Json) -> Json:
        """The run is over: note how long it took since the fault."""
        if self._struck:
            self.verdict.recovery_s = max(self.verdict.recovery_s, time.monotonic() - self._struck)
            self._struck = 0.0
        return run

    def cleaned_on_return(self, *names: str) -> None:
        """Old holders are back: each is told to hold a channel too many, all are cleaned, and none holds one."""

        def is_told(link: Json) -> bool:
            strays = {channel["replica_name"] for channel in link["channels"] if channel["stray"]}
            return set(names) <= strays and (link["primary_action"] or {}).get("kind") == "remove_stray_channel"

        self.wait_link(is_told, f"{', '.join(names)} to be told and offered to be cleaned")
        wait_for(self._remove_strays, "the old channels to be removed", 120, pause_s=1.0)
        self.wait_link(lambda now: now["state"] == "protected", "the link to be protected")
        assert not [name for name in names if self.sql(name, "SHOW ALL SLAVES STATUS")]

    def _remove_strays(self) -> bool:
        """Remove the stray channels that are seen, as often as an operator is offered to; whether there was none.

        A node that wakes may call itself Synced and refuse its first statement (1047), or be seen after another one.
        """
        if not any(channel["stray"] for channel in self.console.link()["channels"]):
            return True
        if not refusals(self.console.plan("remove_stray_channel")):
            run = self.console.run_planned("remove_stray_channel")
            assert run["state"] in ("succeeded", "failed"), describe(run)
        return False

    def heal(self) -> None:
        """As every scene; a link that a fault left broken for good is moved, as an operator would."""
        self._asked = 0
        super().heal()

    def _is_protected(self) -> bool:
        self._asked += 1
        if self._asked % MOVE_AFTER == 0:
            plan = self.console.plan("relocate", **self.other_pair(self._mending))
            if plan["state"] == "ready" and (answer := self.console.start(plan)).status == 202:
                self.console.wait_run(answer.body["id"])
        return super()._is_protected()

    def locally(self, node: str, statement: str) -> None:
        """A statement that neither its cluster nor the other site hears of."""
        with self.stack.lab.admin(node) as connection:
            cursor = connection.cursor()
            for each in ("SET SESSION sql_log_bin=0", "SET SESSION wsrep_on=OFF", statement):
                cursor.execute(each)
            connection.commit()

    # -- ends

    def succeeded(self, run: Json) -> Json:
        """Success, verified."""
        assert run["state"] == "succeeded", describe(run)
        assert run["verification"]["verdict"] == "verified", run["verification"]
        return run

    def handed_over(self, run: Json, *phrases: str) -> Json:
        """Stopped by name, with a next action."""
        assert run["state"] == "needs_operator", describe(run)
        assert run["next_action"], run
        assert all(word in run["outcome"] + run["next_action"] for word in phrases), run["outcome"]
        return run

    def took_back(self, run: Json) -> Json:
        """Failed before the point of no return, everything restored."""
        assert run["state"] in ("failed", "aborted"), describe(run)
        assert not run["point_of_no_return_passed"]
        return run

    # -- verdict

    def wires(self) -> list[general_log.Wire]:
        """Changing statements the console's accounts sent since `arm`, each node's in order."""
        return general_log.changing(self._heard())

    def _heard(self) -> list[general_log.Wire]:
        return [each for listener in self.stack.listeners for each in listener.heard()]

    def judge(self, *, is_record_lost: bool = False) -> None:
        """All three judges: the load's own record, the servers' statement logs, the audit chain."""
        self.judge_writes()
        self.judge_statements(is_record_lost=is_record_lost)
        self.judge_chain()
        self.is_judged = True

    def judge_chain(self) -> None:
        """The audit record is whole; a long one takes more than one call."""

        def verified() -> Json | None:
            answer = self.console.call("GET", "/audit/verify")
            return None if answer.status == 503 else answer.body

        found = wait_for(verified, "the audit record to be verified", pause_s=0.0)
        assert found is not None
        assert found.get("ok"), found

    def judge_writes(self) -> Judged:
        """Every acknowledged write exactly once on every living node, but for what was stated as lost."""
        found = self.stack.verified()
        self.verdict.acknowledged = found.acknowledged
        self.verdict.lost, self.verdict.doubled = len(found.faults["lost"]), len(found.faults["doubled"])
        assert found.clean, found
        return found

    def judge_statements(self, *, is_record_lost: bool = False) -> None:
        """What the servers were sent since `arm` is what the console recorded and planned, one channel at a time.

        Asked again it judges, and counts, all of it again. Where the record is lost, what follows is judged afresh.
        """
        heard = self._heard()
        wires, (runs, sent) = general_log.changing(heard), self._counted
        self.verdict.statements = sent + len(wires)
        if is_record_lost:
            self.arm()
            return
        recorded = record.since(self.console, self._since)
        self.verdict.runs = runs + len(recorded.plans)
        broken = statements.breaks(
            recorded, wires, [each for each in heard if general_log.looked_for(each) is not None]
        )
        events = [event for event in self.stack.lab.events if event.at >= self._since.timestamp()]
        broken += channels.breaks(self._running, recorded, heard, events)
        broken += sampling.breaks(list(self._sampler.samples), events)
        assert not broken, broken

    def silent(self) -> None:
        """Not one changing statement left."""
        assert self.wires() == []


def held_by_console(fault: Fault, node: str) -> int:
    """How many sessions the console's accounts hold there."""
    own = "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE user LIKE 'hawser%'"
    return int(fault.sql(node, own)[0]["n"])
