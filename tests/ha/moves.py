"""Relocates back to back through nginx, by a caller that repeats its calls."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from tests.galera.console import Answer, Console, Json, describe, sentences
from tests.support.waiting import patience, wait_for

PLANNED_S, RUN_S = 180.0, 180.0
CLAIM = "worker:run:claim"
STALE = frozenset({"facts_changed", "plan_expired", "run_unfinished"})


def other_pair(console: Console) -> Json:
    """Options of a relocate of the link onto the next node of each side."""
    link = console.link()
    forward = next(one for one in link["channels"] if one["direction"] == "forward" and not one["stray"])
    sides = link["clusters"]
    return {
        "source_node": _next(sides["active"]["nodes"], forward["source_name"]),
        "replica_node": _next(sides["standby"]["nodes"], forward["replica_name"]),
    }


def _next(nodes: list[Json], name: str) -> str:
    names = sorted(node["name"] for node in nodes)
    wanted = names[(names.index(name) + 1) % len(names)]
    return next(str(node["id"]) for node in nodes if node["name"] == wanted)


def started(console: Console) -> str:
    """The id of a run of a plan that was ready; the plan is made again while the console does not know enough."""
    last: list[str | Answer] = []

    def run_id() -> str:
        last[:] = [_attempt(console)]
        return last[0] if isinstance(last[0], str) else ""

    return wait_for(run_id, "a relocate to be planned", PLANNED_S, pause_s=1.0, seen=lambda _: last)


def _attempt(console: Console) -> str | Answer:
    """A run's id, or the answer that stood in its way."""
    link = console.link()
    if link["state"] != "protected":
        return Answer(0, {"state": link["state"], "sentence": link["sentence"]})
    body = {"kind": "relocate", "reason": "two of everything", "options": other_pair(console)}
    planned = console.call("POST", f"/links/{console.link_id}/plans", body)
    if planned.status != 201 or planned.body["state"] != "ready":
        return Answer(planned.status, {"why": sentences(planned.body) if planned.status == 201 else planned.body})
    answer = console.start(planned.body)
    if answer.status == 202:
        return str(answer.body["id"])
    assert answer.body.get("code") in STALE, answer
    return answer


@dataclass
class Mover:
    """Moves until it is told that it is over; the run under way then is seen to its end."""

    console: Console
    runs: list[Json] = field(default_factory=list)
    present: str = ""
    """Id of the run under way."""
    error: str = ""
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def running(self) -> Iterator[None]:
        """For the length of a block."""
        thread = threading.Thread(target=self._move, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join((PLANNED_S + RUN_S) * patience())

    def _move(self) -> None:
        try:
            while not self._over.is_set():
                self.present = started(self.console)
                self.runs.append(self.console.wait_run(self.present, RUN_S))
                self.present = ""
        except AssertionError as error:
            self.error = str(error)

    def unverified(self, *, but: str = "") -> list[str]:
        """What did not end in a verified success; without failures whose outcome says `but`."""
        failed = [run for run in self.runs if run["state"] != "succeeded"]
        found = [describe(run) for run in failed if not (but and run["state"] == "failed" and but in run["outcome"])]
        found += [str(r["verification"]) for r in self.runs if r["state"] == "succeeded" and not _is_verified(r)]
        return found + ([self.error] if self.error else [])


def _is_verified(run: Json) -> bool:
    return bool(run["verification"]["verdict"] == "verified")


def worker_records(console: Console, run_id: str) -> list[Json]:
    """What workers recorded of a run, oldest first."""
    page = console.get(f"/audit?run={run_id}&limit=200")["results"]
    return [r for r in sorted(page, key=lambda r: int(r["seq"])) if r["action"].startswith("worker:run:")]


def owner_of(console: Console, run_id: str) -> str:
    """The process that claimed the run last; empty before."""
    claims = [record for record in worker_records(console, run_id) if record["action"] == CLAIM]
    return str(claims[-1]["facts"]["owner"]) if claims else ""


def next_record_at(records: list[Json]) -> datetime | None:
    """When the second worker did its first thing behind its claim; None where no other worker took the run."""
    claims = [number for number, record in enumerate(records) if record["action"] == CLAIM]
    if len(claims) < 2:
        return None
    return datetime.fromisoformat(records[min(claims[1] + 1, len(records) - 1)]["at"])
