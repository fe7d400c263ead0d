"""The console as an incident tool sees it: plain HTTP, nothing of the console imported."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any

from tests.support.waiting import wait_for

Json = dict[str, Any]
_PASSING = frozenset({"site_views_differ", "source_log_unread"})
"""Refusals that say to wait: the monitor ends them at one of its next polls."""
_ENDED = ("succeeded", "failed", "aborted", "needs_operator")


@dataclass(frozen=True)
class Answer:
    """Status and body of one call."""

    status: int
    body: Json


@dataclass(frozen=True)
class Console:
    """Calls below /api/v1 with one token, for one link."""

    url: str
    token: str
    link_id: str
    patience: float = 1.0
    """Factor on the limits of runs: over distance every look at a node takes longer."""

    def call(self, method: str, path: str, body: Json | None = None, if_match: str = "") -> Answer:
        """One call; a problem answer is an answer too."""
        request = urllib.request.Request(  # noqa: S310 - loopback only
            f"{self.url}/api/v1{path}", method=method, data=None if body is None else json.dumps(body).encode()
        )
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Content-Type", "application/json")
        if if_match:
            request.add_header("If-Match", if_match)
        if method != "GET":
            request.add_header("Idempotency-Key", str(uuid.uuid4()))
        try:
            with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - loopback only
                return Answer(response.status, json.loads(response.read() or b"{}"))
        except urllib.error.HTTPError as error:
            return Answer(error.code, json.loads(error.read() or b"{}"))

    def get(self, path: str) -> Json:
        """A reading call that must succeed."""
        answer = self.call("GET", path)
        assert answer.status == 200, answer
        return answer.body

    def file(self, path: str) -> str:
        """What a call streams as a file."""
        request = urllib.request.Request(f"{self.url}/api/v1{path}")  # noqa: S310 - loopback only
        request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - loopback only
            return str(response.read().decode())

    def change(self, method: str, path: str, body: Json | None = None) -> Answer:
        """A change of the registration, whatever its version is, with a reason."""
        if body is None:
            return self.call(method, f"{path}?reason=scenario", None, "*")
        return self.call(method, path, {**body, "reason": "scenario"}, "*")

    def link(self) -> Json:
        """The link as the monitor last saw it."""
        return self.get(f"/links/{self.link_id}")

    def node_id(self, name: str) -> str:
        """Id of a registered node."""
        link = self.link()
        nodes = [*link["clusters"]["active"]["nodes"], *link["clusters"]["standby"]["nodes"]]
        return next(node["id"] for node in nodes if node["name"] == name)

    def plan(self, kind: str = "relocate", **options: Any) -> Json:
        """Make a plan, ready or refused."""
        body = {"kind": kind, "reason": "scenario", "options": options}
        answer = self.call("POST", f"/links/{self.link_id}/plans", body)
        assert answer.status == 201, answer
        return answer.body

    def start(self, plan: Json, **changes: Any) -> Answer:
        """Confirm a plan."""
        body = {"digest": plan["digest"], "confirm": plan["link_name"], "reason": "scenario", **changes}
        return self.call("POST", f"/plans/{plan['id']}/runs", body)

    def run(self, plan: Json, limit_s: float = 90) -> Json:
        """Confirm a ready plan and wait for its run's end."""
        assert plan["state"] == "ready", sentences(plan)
        answer = self.start(plan)
        assert answer.status == 202, answer
        return self.wait_run(answer.body["id"], limit_s)

    def settled_plan(self, kind: str, **options: Any) -> Json:
        """A plan, made again as it says while the membership is just changing, or a log is yet to be compared."""
        plan: Json = {}

        def is_settled() -> bool:
            plan.update(self.plan(kind, **options))
            return plan["state"] == "ready" or _PASSING.isdisjoint(one["code"] for one in plan["findings"])

        wait_for(is_settled, f"a plan to {kind}", 30 * self.patience, pause_s=0.5, seen=lambda _: sentences(plan))
        return plan

    def run_planned(self, kind: str, limit_s: float = 90, **options: Any) -> Json:
        """Plan and run; a plan overtaken by the facts (409) is made again, as the answer says."""
        for _ in range(5):
            plan = self.settled_plan(kind, **options)
            assert plan["state"] == "ready", sentences(plan)
            answer = self.start(plan)
            if answer.status != 409 or answer.body["code"] != "facts_changed":
                break
        assert answer.status == 202, answer
        return self.wait_run(answer.body["id"], limit_s)

    def wait_run(self, run_id: str, limit_s: float = 90) -> Json:
        """The run once it ended or needs an operator."""
        run: Json = {}

        def is_over() -> bool:
            run.update(self.get(f"/runs/{run_id}"))
            return run["state"] in _ENDED

        what = f"run {run_id} to end"
        wait_for(is_over, what, limit_s * self.patience, pause_s=0.1, seen=lambda _: describe(run))
        return run

    def relocate(self, **options: Any) -> Json:
        """Plan and run a relocate that must succeed, verified."""
        run = self.run_planned("relocate", **options)
        assert run["state"] == "succeeded", describe(run)
        assert run["verification"]["verdict"] == "verified", run["verification"]
        assert all(step["computing_s"] > 0 for step in run["time_spent"]["steps"]), run["time_spent"]
        return run


def refusals(plan: Json) -> list[str]:
    """Codes of the findings that refuse a plan."""
    return [f["code"] for f in plan["findings"] if f["severity"] in ("blocker", "unknown")]


def sentences(plan: Json) -> str:
    """All sentences of the findings that refuse a plan, and what the evidence of unproven positions says."""
    messages = [f["message"] for f in plan["findings"] if f["severity"] in ("blocker", "unknown")]
    unproven = [p for p in plan["positions"] if not (p["proven"] or p.get("provisional"))]
    evidence = [f"{e['family']} ({e['agrees']}): {e['detail']}" for p in unproven for e in p["evidence"]]
    return " ".join([*messages, *evidence])


def assert_refused(plan: Json, code: str, *phrases: str) -> None:
    """Refused for that reason, in words, with no steps to run."""
    assert plan["state"] == "refused"
    assert code in refusals(plan), refusals(plan)
    assert plan["steps"] == []
    for word in phrases:
        assert word in sentences(plan), sentences(plan)


def describe(run: Json) -> str:
    """A run in a few lines, for a failing test; the first, which summaries show, says how it ended."""
    steps = [f"{s['index']} {s['code']} {s['node']} {s['state']}: {s['outcome']}" for s in run["steps"]]
    return "\n".join([f"{run['state']}: {run['outcome']}", *steps])
