"""A secret planted as every password and token turns up nowhere it could be read."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder

from backend.audit.models import AuditRecord
from backend.clusters.models import CredentialRole, Link
from backend.clusters.selectors import account, cluster_access
from backend.identity.accounts.models import User
from tests.support.console import CANARY, Caller, cluster_body


def _walk(caller: Caller, link_id: str, cluster_id: str, node_id: str) -> list[Any]:
    """Everything that answers to a signed-in reader, and a few calls that go to servers."""
    reads = [
        "/clusters",
        f"/clusters/{cluster_id}",
        f"/nodes/{node_id}",
        "/links",
        f"/links/{link_id}",
        f"/links/{link_id}/history",
        "/audit?limit=200",
        "/audit/export",
        "/runs",
        "/tokens",
        "/users",
        "/metrics",
        "/readyz",
    ]
    answers = [caller.get(path) for path in reads]
    answers.append(caller.post(f"/clusters/{cluster_id}/check"))
    answers.append(caller.post(f"/links/{link_id}/plans", {"kind": "relocate", "reason": "canary"}))
    answers.append(caller.get(f"/nodes/{node_id}/locate?xid=5"))
    assert all(answer.status < 400 for answer in answers), [answer.body for answer in answers]
    return answers


def test_canary__registered_and_used__appears_in_no_answer_log_row_or_audit(
    admin: Caller, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    bodies = [cluster_body(name, f"127.0.{n}.1", secret=CANARY) for n, name in ((73, "milan"), (74, "rome"))]
    made = [admin.post("/clusters", body) for body in bodies]
    link = admin.post(
        "/links",
        {"name": "canary", "active_cluster": made[0].body["id"], "standby_cluster": made[1].body["id"]},
    )
    admin.post("/users", {"username": "eve", "role": "viewer", "password": CANARY})
    Caller().post("/session", {"username": "eve", "password": f"{CANARY}x"})
    wrong = cluster_body("bad", "127.0.75.1", secret=f"{CANARY}\n")
    refused = admin.post("/clusters", wrong)
    answers = [*made, link, refused, *_walk(admin, link.body["id"], made[0].body["id"], made[0].body["nodes"][0]["id"])]
    assert refused.status == 400
    assert CANARY not in str([answer.body for answer in answers])
    assert CANARY not in caplog.text
    shown = capsys.readouterr()
    assert CANARY not in shown.out + shown.err
    for model in apps.get_models():
        rows = json.dumps(list(model.objects.values()), cls=DjangoJSONEncoder)
        assert CANARY not in rows, model
    assert AuditRecord.objects.filter(actor="eve").exists() or User.objects.filter(username="eve").exists()


def test_canary__opened_for_the_gateway__does_not_show_in_a_repr(link: Link) -> None:
    user, password = account(link.active_cluster, CredentialRole.OPERATOR)
    assert (user, password) == ("u_operator", "p")
    shape = cluster_access(link.active_cluster)
    assert shape.nodes[0].operator.password == "p"
    assert "password" not in repr(shape)


def test_canary__token__is_in_no_row(as_role: Callable[[str], Caller]) -> None:
    secret = as_role("operator").token
    assert secret
    for model in apps.get_models():
        assert secret not in json.dumps(list(model.objects.values()), cls=DjangoJSONEncoder), model
