"""A cluster whose servers respond and refuse the given accounts is not registered as if its nodes were down."""

from __future__ import annotations

from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters import services
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.clusters.selectors import clusters
from backend.common.errors import invalid
from tests.gateway.refusing import TLS_ONLY, refusing
from tests.support.console import PLAIN, Caller, cluster_body

USERS = {role.value: f"u_{role.value}" for role in CredentialRole}


def _body(port: int, *, mode: str = "disabled") -> dict[str, Any]:
    """One node that is down, and one at this port."""
    body = cluster_body("milan", "127.0.71.1", "127.0.0.1")
    body["nodes"][1]["port"] = port
    return body | {"tls": {"mode": mode}}


def _nothing_stored() -> bool:
    return not any(model.objects.exists() for model in (Cluster, Node, Credential)) and not (
        AuditRecord.objects.filter(action__endswith="cluster:register").exists()
    )


@pytest.mark.parametrize("role", ["operator", "replication", "monitor"])
def test_cluster__account_refused_by_a_node_that_responds__409_names_both(admin: Caller, role: str) -> None:
    with refusing(USERS[role]) as port:
        answer = admin.post("/clusters", _body(port))
    assert (answer.status, answer.body.get("code")) == (409, "trial_failed"), answer.body
    assert [error["field"] for error in answer.body["errors"]] == [f"credentials.{role}.password"]
    assert f"The {role} account {USERS[role]}" in answer.body["detail"]
    assert "milan2: credentials refused" in answer.body["detail"]
    assert "milan1" not in answer.body["detail"]
    assert _nothing_stored()


@pytest.mark.parametrize(
    ("mode", "refused", "said"),
    [("required", (), "not encrypted"), ("disabled", tuple(USERS.values()), "insecure transport")],
)
def test_cluster__tls_refused_by_a_node_that_responds__409_names_the_mode(
    admin: Caller, mode: str, refused: tuple[str, ...], said: str
) -> None:
    with refusing(*refused, refusal=TLS_ONLY) as port:
        answer = admin.post("/clusters", _body(port, mode=mode))
    assert (answer.status, answer.body.get("code")) == (409, "trial_failed"), answer.body
    assert [error["field"] for error in answer.body["errors"]] == ["tls.mode"]
    assert "milan2" in answer.body["detail"]
    assert said in answer.body["detail"]
    assert _nothing_stored()


def test_cluster__no_node_responds__registered_as_down(admin: Caller) -> None:
    assert admin.post("/clusters", _body(1)).status == 201
    (record,) = AuditRecord.objects.filter(action="api:cluster:register")
    assert record.facts["unreached"] == ["milan1", "milan2"]


def test_cluster__check_ends_in_an_error__nothing_is_stored(admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(services, "identify", fails)
    assert admin.post("/clusters", _body(1)).status == 500
    assert _nothing_stored()


@pytest.mark.parametrize("check", ["_check_logins", "identify"])
def test_cluster__looked_for_while_it_is_checked__not_there_to_be_linked(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    seen: list[list[str]] = []

    def refuses(*_: Any) -> None:
        seen.append([one.name for one in clusters()])
        for cluster in Cluster.objects.filter(name="milan"):
            Link.objects.create(name="quick", active_cluster=link.active_cluster, standby_cluster=cluster)
        raise invalid("tls.mode", "Refused.", code="trial_failed", status=409)

    monkeypatch.setattr(services, check, refuses)
    assert admin.post("/clusters", cluster_body("milan", "127.0.77.1")).status == 409
    assert seen == [["payments-a", "payments-b"]]
    assert not Cluster.objects.filter(name="milan").exists()


def test_cluster__name_taken_while_it_is_checked__refused_and_nothing_is_stored(
    admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    identify = services.identify

    def slow(nodes: Any) -> Any:
        Cluster.objects.create(name="milan", site="a", tls_mode="disabled")
        return identify(nodes)

    monkeypatch.setattr(services, "identify", slow)
    answer = admin.post("/clusters", _body(1))
    assert (answer.status, answer.body.get("code")) == (409, "cluster_exists")
    assert not Node.objects.exists()


DOCUMENT = """
clusters:
  - name: milan
    site: a
    nodes:
      - {name: milan1, host: 127.0.0.1, port: %d}
    credentials:
      monitor: {user: u_monitor, password: "env:PLAIN"}
      operator: {user: u_operator, password: "env:PLAIN"}
      replication: {user: u_replication, password: "env:PLAIN"}
    tls: {mode: disabled}
"""


def test_declaration__account_refused__the_cluster_is_not_added(admin: Caller) -> None:
    with refusing(USERS["operator"]) as port:
        body = {"document": DOCUMENT % port, "references": {"env:PLAIN": PLAIN}}
        digest = admin.post("/declarations", body).body["digest"]
        answer = admin.post("/declarations/apply", {**body, "digest": digest, "reason": "ticket 4711"})
    (change,) = answer.body["changes"]
    assert change["outcome"] == "refused", change
    assert "milan1: credentials refused" in change["note"]
    assert _nothing_stored()
