"""One leg of the marathon after the other: a switch of a drawn kind, under a drawn fault or none, and its repair."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count, pairwise
from pathlib import Path

from tests.faults.fault import LEASE_S, Fault
from tests.galera.console import Json, describe, sentences
from tests.support.waiting import wait_for

HARMED = 0.65
"""Share of legs with a fault."""
BOUNDARIES = ("before-intent", "after-intent", "after-sql", "after-outcome")
SETTLE_LIMIT_S = 300
"""A channel that fell minutes behind refuses a switchover, and rightly: it is waited for."""
LATE_S = 20
"""So far behind, a channel under the marathon's load may never come up again."""
CLAIM = "worker:run:claim"
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Leg:
    """What is to be switched; the plan is made again whenever the facts overtake it."""

    fault: Fault
    kind: str
    seed: str = ""

    def options(self, attempt: int) -> Json:
        """Drawn again each time, by a draw of its own: a node that failed meanwhile is not chosen."""
        if self.kind == "relocate":
            return dict(self.fault.other_pair(random.Random(f"{self.seed}/attempt {attempt}")))
        return {"allow_long_transactions": True}

    def started(self, plan_options: Json | None = None) -> tuple[str, Json]:
        """The run's id and its plan, ready in time."""
        attempts = count()
        plan: Json = {}

        def confirmed() -> str | None:
            options = self.options(next(attempts)) if plan_options is None else plan_options
            plan.clear()
            plan.update(self.fault.console.plan(self.kind, **options))
            if plan["state"] != "ready":
                return None
            answer = self.fault.console.start(plan)
            if answer.status == 202:
                return str(answer.body["id"])
            assert answer.body["code"] == "facts_changed", answer
            return None

        what = f"a {self.kind} to be planned"
        return str(wait_for(confirmed, what, SETTLE_LIMIT_S, pause_s=1.0, seen=lambda _: sentences(plan))), plan

    def drawn_statement(self, plan: Json) -> int:
        """A step that sends something, not the last one: a worker told to die there or later finds its place."""
        return int(self.fault.rng.choice([s["index"] for s in plan["steps"] if s["sql"]][:-1]))


Harm = Callable[[Leg], Json]


def unharmed(leg: Leg) -> Json:
    """As on a good day."""
    return leg.fault.ended(leg.started()[0])


def worker_dies(leg: Leg) -> Json:
    """kill -9 at a drawn boundary; another worker looks and goes on."""
    with leg.fault.stack.paused("worker"):
        run_id, plan = leg.started()
        leg.fault.died_at(run_id, f"{leg.fault.rng.choice(BOUNDARIES)}:{leg.drawn_statement(plan)}+")
        return leg.fault.carried_on(run_id, 120)


def worker_sleeps(leg: Leg) -> Json:
    """SIGSTOP with an intent stored, past its lease; awake again it sends nothing."""
    with leg.fault.stack.paused("worker"):
        run_id, plan = leg.started()
        sleeper = leg.fault.stopped_at(run_id, f"after-intent:{leg.drawn_statement(plan)}+")
        time.sleep(LEASE_S + 0.5)
        run = leg.fault.carried_on(run_id, 120)
        leg.fault.wake(sleeper, 60)
    return run


def under_way(leg: Leg) -> str:
    """A run that the stack's own worker has begun."""
    run_id, _ = leg.started()
    wait_for(lambda: leg.fault.run_of(run_id)["state"] != "queued", "the run to begin", pause_s=0.01)
    time.sleep(leg.fault.rng.uniform(0.0, 1.0))
    return run_id


def ended_through(leg: Leg, harm: AbstractContextManager[object], lasts_s: float) -> Json:
    """A run during which the harm begins and is over again."""
    run_id = under_way(leg)
    with harm:
        leg.fault.strike()
        time.sleep(lasts_s)
    return leg.fault.ended(run_id)


def workers_killed(leg: Leg) -> Json:
    """kill -9 of the Celery worker with all its processes; it is started again."""
    run_id = under_way(leg)
    leg.fault.strike()
    leg.fault.stack.kill_part("worker")
    return leg.fault.ended(run_id)


def link_nodes_killed(leg: Leg) -> Json:
    """kill -9 of one or both link nodes; the channels move away from them, whatever was to be switched."""
    source, replica = leg.fault.pair()
    victims = leg.fault.rng.choice([(source,), (replica,), (source, replica)])
    leg.fault.kill(*victims)
    leg.fault.strike()
    run_id, _ = Leg(leg.fault, "relocate").started({})
    return leg.fault.ended(run_id)


def bystander_hangs(leg: Leg) -> Json:
    """SIGSTOP of a node that holds no channel: its cluster goes on without it, and a relocate does."""
    source, _ = leg.fault.pair()
    leg.fault.stack.lab.freeze(leg.fault.other(source))
    leg.fault.strike()
    run_id, _ = replace(leg, kind="relocate").started()
    return leg.fault.ended(run_id)


def broker_lost(leg: Leg) -> Json:
    """Redis is killed with all its data while the run is under way."""
    return ended_through(leg, leg.fault.stack.without("redis"), 1.0)


def database_sleeps(leg: Leg) -> Json:
    """The console's own database answers nothing for some seconds."""
    return ended_through(leg, leg.fault.stack.paused("mariadb"), 2.5)


def record_cut(leg: Leg) -> Json:
    """The console's own database ends every connection, again and again."""
    run_id = under_way(leg)
    leg.fault.strike()
    for _ in range(5):
        leg.fault.stack.end_connections()
        time.sleep(leg.fault.rng.uniform(0.1, 0.5))
    return leg.fault.ended(run_id)


def connections_reset(leg: Leg) -> Json:
    """RST to every connection between console and nodes, and to the channels'."""
    run_id = under_way(leg)
    leg.fault.strike()
    leg.fault.stack.chaos.reset(*leg.fault.nodes(), kind=leg.fault.rng.choice(("tls", "clear", "")))
    return leg.fault.ended(run_id)


def way_slow(leg: Leg) -> Json:
    """Thirty milliseconds more to every node."""
    with leg.fault.stack.chaos.during(*leg.fault.nodes(), delay_down_s=0.03):
        run_id, _ = leg.started()
        leg.fault.strike()
        return leg.fault.ended(run_id)


def messages_repeated(leg: Leg) -> Json:
    """The run's message twenty times over."""
    run_id, _ = leg.started()
    leg.fault.strike()
    dispatch(leg.fault, run_id, 20)
    return leg.fault.ended(run_id)


HARMS: dict[Harm, int] = {
    worker_dies: 5,
    worker_sleeps: 2,
    workers_killed: 2,
    link_nodes_killed: 2,
    bystander_hangs: 1,
    broker_lost: 1,
    database_sleeps: 1,
    record_cut: 2,
    connections_reset: 3,
    way_slow: 1,
    messages_repeated: 1,
}
"""Each with its weight."""


DRIVEN_BY_TEST: tuple[Harm, ...] = (worker_dies, worker_sleeps)
"""The stack's own worker is held still meanwhile: the test calls the next one, not the product."""


def drawn(fault: Fault, number: int) -> tuple[Leg, Harm]:
    """What comes next; it and all it draws is told by the seed and the leg's number alone."""
    seed = f"{fault.verdict.seed}/{number}"
    fault.rng = random.Random(seed)
    kind = fault.rng.choices(["relocate", "failback" if is_away(fault) else "switchover"], (3, 2))[0]
    if fault.rng.random() >= HARMED:
        return Leg(fault, kind, seed), unharmed
    return Leg(fault, kind, seed), fault.rng.choices(list(HARMS), list(HARMS.values()))[0]


def is_away(fault: Fault) -> bool:
    """Whether the other side than home is active."""
    link = fault.console.link()
    return bool(link["active_cluster"]["id"] != link["home_cluster"]["id"])


def is_late(fault: Fault) -> bool:
    """Whether a channel is seen far behind; for one that stands, a rest of the load is no help."""
    lags_s = [channel["lag_s"] for channel in fault.console.link()["channels"]]
    return any(lag_s is not None and lag_s > LATE_S for lag_s in lags_s)


def let_catch_up(fault: Fault) -> None:
    """The load rests until both sides are level, where they have drifted apart.

    Two cores apply hardly faster than this load writes: what a pause of the machine left waited for the rest of a
    marathon (12 minutes of backlog, seven legs), and a switch is refused meanwhile, rightly.
    """
    if not is_late(fault):
        return
    fault.stop_writes()
    fault.stack.lab.load_start(fault.load)


def resumed(fault: Fault, run: Json) -> Json:
    """A run that stopped by name is resumed, as its page says; one that took everything back may stand."""
    for _ in range(3):
        if run["state"] != "needs_operator":
            break
        assert run["next_action"], describe(run)
        fault.wait_link(lambda now: now["state"] != "unknown", "the console to see again")
        if is_late(fault):
            fault.stop_writes()  # until the leg is over: what the run waits for comes
        assert fault.console.call("POST", f"/runs/{run['id']}/resume", {"comment": "fixed"}).status < 300
        run = fault.ended(run["id"])
    if run["state"] == "succeeded":
        return fault.succeeded(run)
    return fault.took_back(run)


def takeovers_s(fault: Fault, run_id: str) -> list[float]:
    """How long after the last record of one worker the next one took the run, each time without a person."""
    return [
        (datetime.fromisoformat(now["at"]) - datetime.fromisoformat(before["at"])).total_seconds()
        for before, now in pairwise(worker_records(fault, run_id))
        if now["action"] == CLAIM and before["action"] != "worker:run:needs_operator"
    ]


def worker_records(fault: Fault, run_id: str) -> list[Json]:
    """What workers recorded of a run, oldest first."""
    page = fault.console.get(f"/audit?run={run_id}&limit=200")["results"]
    return [r for r in sorted(page, key=lambda r: int(r["seq"])) if r["action"].startswith("worker:run:")]


def resident_mb(pid: int) -> float:
    """Resident memory of a process and all its descendants' group."""
    group, pages = os.getpgid(pid), 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(folder.name)) == group:
                pages += int((folder / "statm").read_text().split()[1])
        except (OSError, ValueError):
            continue
    return round(pages * PAGE_BYTES / 1e6, 1)


def dispatch(fault: Fault, run_id: str, times: int) -> None:
    """Publish the message of a run so many times, as a replay would."""
    fault.stack.python(
        "from backend.operations.runs.tasks import drive_run\n"
        f"for _ in range({times}): drive_run.apply_async(args=({run_id!r},))"
    )
