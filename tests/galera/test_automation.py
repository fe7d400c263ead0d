"""What happens around runs, on the real lab: rehearsed, announced to webhooks, started without a person."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.galera.automation import allow, call
from tests.galera.console import Json, describe
from tests.galera.relocate import scene_pair
from tests.galera.scene import Scene
from tests.support.waiting import wait_for
from tests.support.webhook_receiver import Receiver

_LINE = re.compile(r"\s(\d+) (Connect|Query)\t(.*)$")
_HARMLESS = re.compile(r"(SELECT|SHOW|SET SESSION|SET NAMES|SET AUTOCOMMIT)\b", re.IGNORECASE)


@pytest.fixture
def automatic(scene: Scene) -> Iterator[Scene]:
    """A scene whose link is automatic only as long as the test."""
    yield scene
    call(scene, "PUT", "automation", {"mode": "off"})


def last_act(scene: Scene, outcome: str) -> Json:
    """The automation's last act, once it came to that: a plan that is held is tried again after a minute."""
    since = call(scene, "GET", "automation")["last_action"]
    shown: Json = {}

    def is_done() -> bool:
        shown.update(call(scene, "GET", "automation"))
        last = shown["last_action"]
        return last is not None and last != since and last["outcome"] == outcome

    wait_for(is_done, f"the automation's {outcome}", 240, seen=lambda _: (shown["reason"], shown["last_action"]))
    return dict(shown["last_action"])


# -- automatic relocate


def test_automation__execute_and_the_source_is_killed__relocated_without_a_person(automatic: Scene) -> None:
    scene = automatic
    source, replica = scene.pair()
    allow(scene, "execute")
    scene.kill(source)
    last = last_act(scene, "succeeded")
    run = scene.console.get(f"/runs/{last['run_id']}")
    assert run["requested_by"] == "automation", describe(run)
    assert source in run["reason"]
    assert scene_pair(run) == (scene.other(source), replica)
    assert run["verification"]["verdict"] == "verified"
    recorded = scene.console.get("/audit?actor=automation")["results"]
    assert "monitor:automation:execute" in {record["action"] for record in recorded}
    scene.judge()


def test_automation__propose_and_the_source_is_killed__a_ready_plan_and_not_one_statement(automatic: Scene) -> None:
    scene = automatic
    source, _ = scene.pair()
    allow(scene, "propose")
    scene.watch_statements()
    scene.kill(source)
    last = last_act(scene, "proposed")
    plan = scene.console.get(f"/plans/{last['plan_id']}")
    assert (plan["state"], plan["created_by"]) == ("ready", "automation")
    history = call(scene, "GET", "history")["results"]
    assert any(entry["kind"] == "automation.proposed" and plan["id"] in entry["label"] for entry in history)
    assert scene.console.link()["active_run"] is None
    assert scene.seen_statements() == []
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", describe(run)
    scene.judge()


def test_automation__source_only_hangs__unknown_and_nothing_is_done(automatic: Scene) -> None:
    scene = automatic
    source, _ = scene.pair()
    allow(scene, "execute")
    before = call(scene, "GET", "automation")["last_action"]
    scene.stop_writes()  # else the wait below would be a backlog for the relocate's probe
    scene.stack.lab.freeze(source)
    wait_for(lambda: scene.reach(source) == "hung", "the hung node to be seen")
    until = time.monotonic() + 20
    while time.monotonic() < until:
        shown = call(scene, "GET", "automation")
        assert shown["last_action"] == before, shown
        assert scene.console.link()["active_run"] is None
        time.sleep(1)
    assert "known" in shown["reason"], shown
    call(scene, "PUT", "automation", {"mode": "off"})
    scene.console.relocate()
    scene.judge()


# -- rehearsals


def sent_by_the_operator_account(scene: Scene) -> list[str]:
    """Everything but looking that the changing account sent, on any server."""
    found = []
    for name in scene.nodes():
        sessions: set[str] = set()
        for line in scene._log(name).read_text("utf-8", "replace").splitlines():
            match = _LINE.search(line)
            if match is None:
                continue
            session, verb, text = match.groups()
            if verb == "Connect":
                (sessions.add if text.startswith("hawser_operator@") else sessions.discard)(session)
            elif session in sessions and not _HARMLESS.match(text):
                found.append(f"{name}: {text[:80]}")
    return found


def opened_by_the_operator_account(scene: Scene) -> set[str]:
    """Servers that account logged in to."""
    return {n for n in scene.nodes() if "hawser_operator@" in scene._log(n).read_text("utf-8", "replace")}


@pytest.mark.parametrize("kind", ["relocate", "switchover", "failover"])
def test_rehearsal__all_is_well__passed_with_figures_and_not_one_statement(scene: Scene, kind: str) -> None:
    before = scene.pair()
    scene.watch_statements()
    rehearsal = call(scene, "POST", "rehearsals", {"kind": kind, "options": {}})
    assert rehearsal["state"] == "passed", rehearsal["sentence"]
    assert rehearsal["steps"]
    assert rehearsal["estimate_s"] > 0
    assert rehearsal["loss"]["transactions"] is not None
    assert all(timing["ok"] for timing in rehearsal["timings"])
    assert sent_by_the_operator_account(scene) == []
    touched = {step["node"] for step in rehearsal["steps"] if step["sql"]}
    assert opened_by_the_operator_account(scene) == touched
    assert scene.pair() == before
    readiness = scene.console.link()["readiness"][kind]
    assert (readiness["rehearsed_ok"], readiness["rehearsed_at"]) == (True, rehearsal["at"])
    scene.judge()


def test_rehearsal__scheduled__held_by_a_worker(scene: Scene) -> None:
    call(scene, "PUT", "rehearsal-schedule", {"enabled": True, "every_hours": 1, "kinds": ["failback"]})
    try:
        rows = wait_for(
            lambda: call(scene, "GET", "rehearsals?kind=failback")["results"], "the scheduled rehearsal", 120
        )
    finally:
        call(scene, "PUT", "rehearsal-schedule", {"enabled": False, "every_hours": 1, "kinds": ["failback"]})
    assert rows[0]["actor"] == "schedule"
    assert rows[0]["state"] == "failed", "it is at home"
    history = call(scene, "GET", "history")["results"]
    assert "rehearsal.failed" in {entry["kind"] for entry in history}


# -- webhooks


@pytest.fixture
def hooks(scene: Scene) -> Iterator[list[Json]]:
    """Webhooks that are removed again."""
    made: list[Json] = []
    yield made
    for hook in made:
        assert scene.console.call("DELETE", f"/hooks/{hook['id']}").status == 204


def hook(scene: Scene, receiver: Receiver, made: list[Json], name: str, **changes: Any) -> None:
    """A webhook of the link."""
    body = {"name": name, "url": receiver.url, "secret": "s" * 24, "timeout_s": 5, **changes}
    made.append(call(scene, "POST", "hooks", body))


def planned_move(scene: Scene) -> dict[str, str]:
    """Options that move the forward channel's source."""
    return {"source_node": scene.console.node_id(scene.other(scene.pair()[0]))}


def test_hooks__before_after_and_events__called_as_the_plan_shows(
    scene: Scene, receiver: Receiver, hooks: list[Json]
) -> None:
    hook(scene, receiver, hooks, "proxies", phase="before", blocking=True)
    hook(scene, receiver, hooks, "ticket", phase="after", kinds=["relocate"])
    hook(scene, receiver, hooks, "chat", phase="event", kinds=["run."], min_severity="info")
    hook(scene, receiver, hooks, "other", phase="after", kinds=["failover"])
    plan = scene.console.plan(**planned_move(scene))
    titles = [step["title"] for step in plan["steps"] if step["code"] == "hook"]
    assert titles == ["Call the webhook proxies (blocking, 5 s)", "Call the webhook ticket (not blocking, 5 s)"]
    assert [step["code"] for step in plan["steps"]][:2] == ["recheck", "hook"]
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", describe(run)
    around = [c.json for c in receiver.calls if c.json["phase"] in ("before", "after")]
    assert [(c["phase"], c["hook"]["name"], c["state"]) for c in around] == [
        ("before", "proxies", "starting"),
        ("after", "ticket", "verified"),
    ]
    assert {c["run"] for c in around} == {run["id"]}
    assert {c["plan"]["digest"] for c in around} == {plan["digest"]}
    wait_for(lambda: _reported_kinds(receiver) >= {"run.started", "run.succeeded"}, "the events to be told")
    scene.judge()


def _reported_kinds(receiver: Receiver) -> set[str]:
    return {c.json["kind"] for c in list(receiver.calls) if c.json["phase"] == "event"}


def test_hooks__blocking_before_refuses__run_failed_and_not_one_statement(
    scene: Scene, receiver: Receiver, hooks: list[Json]
) -> None:
    hook(scene, receiver, hooks, "proxies", phase="before", blocking=True)
    receiver.answers = [503]
    scene.watch_statements()
    plan = scene.console.plan(**planned_move(scene))
    run = scene.console.run(plan)
    assert run["state"] == "failed", describe(run)
    assert "answered 503" in run["outcome"]
    assert scene.seen_statements() == []
    scene.judge()


def test_hooks__blocking_after_refuses__needs_operator_until_it_takes_the_call(
    scene: Scene, receiver: Receiver, hooks: list[Json]
) -> None:
    hook(scene, receiver, hooks, "ticket", phase="after", blocking=True)
    receiver.answers = [503, 200]
    run = scene.console.run(scene.console.plan(**planned_move(scene)))
    assert run["state"] == "needs_operator", describe(run)
    assert scene.console.call("POST", f"/runs/{run['id']}/resume", {"comment": "up again"}).status == 200
    ended = scene.console.wait_run(run["id"])
    assert ended["state"] == "succeeded", describe(ended)
    assert len({c.headers["Hawser-Delivery"] for c in receiver.calls}) == 1
    assert len(receiver.calls) == 2
    scene.judge()
