"""Incidents over HTTP: what is touched, one confirmation of all, and one report."""

from __future__ import annotations

from typing import Any

import pytest

from backend.clusters.models import Cluster, Link, Node
from backend.operations.incidents.models import Incident
from backend.operations.runs.models import Run
from tests.support.console import Answer, Caller
from tests.support.incidents import SITE, Workers, attesting, finish, refused, touched_link, workers

__all__ = ["workers"]


@pytest.fixture
def links(db: None) -> list[Link]:
    return [touched_link(name, 81 + index, gap=gap) for index, (name, gap) in enumerate((("few", 1), ("many", 90)))]


def _opened(caller: Caller, workers: Workers, **given: Any) -> dict[str, Any]:
    answer = caller.post("/incidents", {"site": SITE, **given})
    assert answer.status == 201, answer.body
    workers.work()
    shown: dict[str, Any] = caller.get(f"/incidents/{answer.body['id']}").body
    return shown


def _confirm(caller: Caller, shown: dict[str, Any], **changed: Any) -> Answer:
    body = {"digest": shown["digest"], "confirm": shown["name"], "reason": "milan is lost", **changed}
    return caller.post(f"/incidents/{shown['id']}/confirm", body)


def test_touched__a_site__its_links_by_what_is_at_risk(viewer: Caller, links: list[Link]) -> None:
    found = viewer.get(f"/incidents/touched?site={SITE}").body["results"]
    assert [(one["link_name"], one["role"], one["kind"], one["at_risk"]) for one in found] == [
        ("many", "active", "relocate", 90),
        ("few", "active", "relocate", 1),
    ]


def test_touched__a_node__the_links_on_its_host(viewer: Caller, links: list[Link]) -> None:
    node = links[0].active_cluster.nodes.get()
    (found,) = viewer.get(f"/incidents/touched?node={node.id}").body["results"]
    assert found["why"] == "few-a1 of few-a is on 127.0.81.1."


@pytest.mark.parametrize("body", [{}, {"site": SITE, "links": ["l_aaaaaaaaaaaa"]}, {"site": "Milan"}, {"links": []}])
def test_open__no_or_two_scopes_or_an_unknown_site__400(
    operator: Caller, links: list[Link], body: dict[str, Any]
) -> None:
    assert operator.post("/incidents", body).status == 400
    assert not Incident.objects.exists()


def test_open__node_of_no_link__400(operator: Caller, links: list[Link]) -> None:
    alone = Cluster.objects.create(name="alone", site=SITE, tls_mode="disabled")
    node = Node.objects.create(cluster=alone, name="alone1", host="127.0.99.1", port=1)
    answer = operator.post("/incidents", {"node": node.id})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "node")


def test_open__links_of_choice__no_recommended_operation__told_so(operator: Caller, workers: Workers, db: None) -> None:
    link = touched_link("idle", 81, kind="")
    shown = _opened(operator, workers, site=SITE)
    assert shown["items"][0]["state"] == "no_operation"
    body = {"links": [link.id], "name": "By hand"}
    chosen = operator.post("/incidents", body).body
    assert (chosen["name"], chosen["items"][0]["why"]) == ("By hand", "An operator chose this link.")
    answer = _confirm(operator, shown)
    assert (answer.status, answer.body["code"]) == (409, "nothing_to_start")


def test_order__changes_the_digest__an_unknown_link_is_refused(
    operator: Caller, links: list[Link], workers: Workers
) -> None:
    shown = _opened(operator, workers)
    body = {"links": [links[0].id, links[1].id], "at_once": 2, "stop_at_failure": False}
    ordered = operator.post(f"/incidents/{shown['id']}/order", body).body
    assert [one["link_name"] for one in ordered["items"]] == ["few", "many"]
    assert ordered["digest"] != shown["digest"]
    wrong = operator.post(f"/incidents/{shown['id']}/order", {"links": ["l_aaaaaaaaaaaa"]})
    assert (wrong.status, wrong.body["errors"][0]["field"]) == (400, "links")
    assert operator.post(f"/incidents/{shown['id']}/order", {"at_once": 9}).status == 400


def test_confirm__with_every_attestation__runs_in_order_and_one_report(
    operator: Caller, links: list[Link], workers: Workers
) -> None:
    workers.plans = {"many": attesting}
    shown = _opened(operator, workers)
    assert shown["items"][0]["findings"][0]["attestation"]["is_given"]
    assert _confirm(operator, shown).body["code"] == "attestation_missing"
    given = [{"link_id": links[1].id, "option": "accept_loss"}]
    answer = _confirm(operator, shown, attestations=given)
    assert (answer.status, answer.body["state"]) == (202, "running")
    workers.work()
    incident = finish(workers, Incident.objects.get(), "many")
    finish(workers, incident, "few")
    ended = operator.get(f"/incidents/{shown['id']}").body
    assert (ended["state"], ended["progress"]["succeeded"]) == ("ended", 2)
    text = operator.get(f"/incidents/{shown['id']}/report").body
    for part in ("# Incident report: Loss of milan", "2 of 2 operations succeeded", "many: I accept this data loss"):
        assert part in text
    facts = operator.get(f"/incidents/{shown['id']}/report?format=json").body["facts"]
    assert [one["link_name"] for one in facts["runs"]] == ["many", "few"]
    assert operator.get("/history?q=loss of milan").body["results"][0]["link_name"] == "few"


def test_confirm__again_or_after_an_abort__409(operator: Caller, links: list[Link], workers: Workers) -> None:
    shown = _opened(operator, workers)
    assert operator.post(f"/incidents/{shown['id']}/abort").body["state"] == "aborted"
    assert _confirm(operator, shown).body["code"] == "wrong_incident_state"
    assert not Run.objects.exists()


def test_plan__with_options_by_link__planned_again(operator: Caller, links: list[Link], workers: Workers) -> None:
    workers.plans = {"few": refused}
    shown = _opened(operator, workers)
    assert [(one["link_name"], one["state"]) for one in shown["items"]] == [("many", "ready"), ("few", "refused")]
    workers.plans = {}
    body = {"items": [{"link_id": links[0].id, "options": {"accept_loss": True}}]}
    assert operator.post(f"/incidents/{shown['id']}/plan", body).body["items"][1]["state"] == "planning"
    workers.work()
    current = operator.get(f"/incidents/{shown['id']}").body["items"]
    assert [one["state"] for one in current] == ["ready", "ready"]
    assert [one["options"] for one in current] == [{}, {"accept_loss": True}]
    wrong = {"items": [{"link_id": links[0].id, "options": {"attest_fenced": ["n_aaaaaaaaaaaa"]}}]}
    assert operator.post(f"/incidents/{shown['id']}/plan", wrong).status == 400


def test_open__same_idempotency_key__one_incident(operator: Caller, links: list[Link]) -> None:
    first, second = (operator.post("/incidents", {"site": SITE}, Idempotency_Key="k1").body for _ in range(2))
    assert first["id"] == second["id"]
    assert [one["id"] for one in operator.get("/incidents?state=planned").body["results"]] == [first["id"]]


def test_approve__what_needs_nobody__409(
    operator: Caller, approver: Caller, links: list[Link], workers: Workers
) -> None:
    shown = _opened(operator, workers)
    assert _confirm(operator, shown).status == 202
    answer = approver.post(f"/incidents/{shown['id']}/approve", {"digest": shown["digest"], "comment": "read"})
    assert (answer.status, answer.body["code"]) == (409, "not_waiting")
