"""The guided registration on real servers without Hawser's accounts: discover, create, check, register, rehearse."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core.serializers import serialize

from backend.clusters.models import Link
from backend.monitoring.monitor import Monitor
from deploy.lab.api import Lab
from tests.gateway.lab import ca_pem
from tests.support.console import Answer, Caller, make_caller
from tests.support.fixtures import emptied
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
__all__ = ["emptied"]
BOSS, PASSWORD = "'guide_boss'@'%'", "canary-of-the-administrator"
USERS = {"monitor": "guide_monitor", "operator": "guide_operator", "replication": "guide_repl"}
SIDES = {"first": "db-a1", "second": "db-b1"}


@pytest.fixture
def bare(lab: Lab, emptied: None) -> Iterator[Lab]:
    """A linked pair on which the guide's accounts do not exist, and an administrator does."""
    lab.sql("db-a1", f"CREATE USER {BOSS} IDENTIFIED BY '{PASSWORD}'")
    lab.sql("db-a1", f"GRANT ALL PRIVILEGES ON *.* TO {BOSS} WITH GRANT OPTION")
    wait_for(lambda: _has(lab, "guide_boss"), "the administrator at the other site")
    yield lab
    found = lab.sql(
        "db-a1", "SELECT CONCAT(QUOTE(User), '@', QUOTE(Host)) AS a FROM mysql.user WHERE User LIKE 'guide_%'"
    )
    for row in found:
        lab.sql("db-a1", f"DROP USER {row['a']}")
    lab.sql("db-a1", "DROP TABLE IF EXISTS hawser.probe")  # the view is the lab's own, and stays
    wait_for(lambda: not _has(lab, "guide_boss"), "the other site without the accounts")


def _has(lab: Lab, user: str) -> bool:
    return bool(lab.sql("db-b1", f"SELECT 1 FROM mysql.user WHERE User='{user}'"))


def _start(admin: Caller, lab: Lab) -> str:
    accounts = {role: {"user": user} for role, user in USERS.items()}
    sides = {
        side: {
            "name": name,
            "site": side,
            "host": lab.node(node).host,
            "administrator": "guide_boss",
            "tls": {"ca": ca_pem(lab)},
            "accounts": accounts,
        }
        for (side, node), name in zip(SIDES.items(), ("milan", "frankfurt"), strict=True)
    }
    answer = admin.post("/registrations", {**sides, "link": {"name": "payments", "active": "first"}})
    assert answer.status == 201, answer.body
    return f"/registrations/{answer.body['id']}"


def _seen(admin: Caller, path: str, step: str, **given: object) -> Answer:
    """Go on with what the registration says now."""
    return admin.post(f"{path}/{step}", {**given, "endpoints_digest": admin.get(path).body["endpoints_digest"]})


def _walk(admin: Caller, path: str, side: str) -> None:
    found = _seen(admin, path, "discover", side=side, password=PASSWORD)
    assert found.status == 200, found.body
    assert {one["state"] for one in found.body[side]["discovered"]["members"]} == {"connected"}
    assert found.body[side]["tls"]["mode"] == "verify_identity"
    assert found.body[side]["discovered"]["may_create"] is True
    digest = found.body[side]["statements"]["digest"]
    refused = _seen(admin, path, "accounts", side=side, password="wrong", digest=digest)
    assert refused.body["errors"][0]["field"] == f"{side}.password"
    created = _seen(admin, path, "accounts", side=side, password=PASSWORD, digest=digest)
    assert created.status == 200, created.body
    checked = _seen(admin, path, "check", side=side)
    assert checked.status == 200, checked.body
    access = [one for one in checked.body[side]["checked"]["findings"] if one["code"].startswith(("grant", "login"))]
    assert {one["severity"] for one in access} == {"ok"}, access


def test_guide__bare_pair__accounts_created_link_registered_and_rehearsed(bare: Lab) -> None:
    admin = make_caller("nora", "admin")
    path = _start(admin, bare)
    _walk(admin, path, "first")
    results = {one["result"] for one in admin.get(path).body["first"]["statements"]["statements"]}
    assert "failed" not in results
    wait_for(lambda: _has(bare, "guide_repl"), "the accounts at the other site")
    _walk(admin, path, "second")
    body = admin.get(path).body
    assert {one["result"] for one in body["second"]["statements"]["statements"] if "CREATE USER" in one["sql"]} == {
        "already_there"
    }
    assert (body["link"]["found"]["state"], body["link"]["found"]["channel_name"]) == ("linked", "")
    bare.sql("db-a1", "GRANT SUPER ON *.* TO 'guide_repl'@'%'")
    excess = [one for one in _seen(admin, path, "check", side="first").body["open_points"] if "excess" in one["code"]]
    assert "REVOKE SUPER ON *.* FROM 'guide_repl'@'%';" in {one["remedy"] for one in excess}
    bare.sql("db-a1", excess[0]["remedy"].rstrip(";"))

    registered = _seen(admin, path, "register", accept_open=True)
    assert registered.status == 200, registered.body
    link = Link.objects.get(pk=registered.body["link_id"])
    monitor = Monitor(threading.Event())
    monitor.tick()
    monitor.close()
    rehearsal = admin.post(f"/links/{link.pk}/rehearsals", {"kind": "relocate"})
    assert rehearsal.body["state"] == "passed", rehearsal.body["sentence"]
    every = [model for model in apps.get_models() if model._meta.managed]
    stored = "".join(serialize("json", model._default_manager.all()) for model in every)
    for text in (stored, json.dumps(registered.body), bare.paths.log("db-a1").read_text()):
        assert PASSWORD not in text
