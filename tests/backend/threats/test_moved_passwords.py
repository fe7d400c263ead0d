"""Stored passwords, and those in a store, do not follow an administrator to a server of his own."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.audit.models import AuditRecord
from backend.clusters import password_comparisons
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.clusters.password_comparisons import REPEATED
from backend.clusters.secret_stores import cache
from backend.common.errors import invalid
from backend.common.sealing import seal
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint
from backend.gateway.trials import Trial
from backend.registration import clusters as cluster_changes
from backend.registration import nodes as node_changes
from tests.support.certificates import authority
from tests.support.console import PLAIN, STORED_PASSWORDS, Answer, Caller, cluster_body

NOT_TRIED = {"accept_unreachable": True, "reason": "ticket 4711"}
OWN = authority("An authority of one's own").cert
NO_CHANGE = "Nothing was changed"


@pytest.fixture
def cluster(link: Link, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """A cluster of a link; a connection is tried by a test that says so."""
    for module, name in ((cluster_changes, "try_account"), (node_changes, "observe_once")):
        monkeypatch.setattr(module, name, _connects)
    return link.active_cluster


def _connects(*_: Any) -> None:
    raise AssertionError("a connection was tried")


def _authority_replaced(cluster: Cluster) -> tuple[str, str, dict[str, Any]]:
    return "PATCH", f"/clusters/{cluster.pk}", {"tls": {"mode": "verify_ca", "ca": OWN}}


def _mode_changed(cluster: Cluster) -> tuple[str, str, dict[str, Any]]:
    return "PATCH", f"/clusters/{cluster.pk}", {"tls": {"mode": "required"}}


def _node_added(cluster: Cluster) -> tuple[str, str, dict[str, Any]]:
    return "POST", f"/clusters/{cluster.pk}/nodes", {"name": "third", "host": "127.0.71.3", "port": 1}


def _node_moved(cluster: Cluster) -> tuple[str, str, dict[str, Any]]:
    return "PATCH", f"/nodes/{cluster.nodes.all()[0].pk}", {"host": "127.0.71.9"}


def _port_changed(cluster: Cluster) -> tuple[str, str, dict[str, Any]]:
    return "PATCH", f"/nodes/{cluster.nodes.all()[0].pk}", {"port": 2}


CHANGES = [_authority_replaced, _mode_changed, _node_added, _node_moved, _port_changed]
Change = Callable[[Cluster], tuple[str, str, dict[str, Any]]]


def _sent(admin: Caller, change: Change, cluster: Cluster, passwords: dict[str, str] | None = None) -> Answer:
    method, path, body = change(cluster)
    given = {} if passwords is None else {"passwords": passwords}
    return admin.call(method, path, {**body, **given, **NOT_TRIED}, If_Match="*")


def _kept(cluster: Cluster) -> bool:
    stored = Cluster.objects.get(pk=cluster.pk)
    nodes = [(node.host, node.port) for node in Node.objects.filter(cluster=cluster).order_by("ordinal")]
    return (stored.version, nodes) == (cluster.version, [(node.host, node.port) for node in cluster.nodes.all()])


@pytest.mark.parametrize("change", [_authority_replaced, _mode_changed])
def test_tls__changed_without_the_stored_passwords__refused_before_a_connection(
    admin: Caller, cluster: Cluster, change: Change
) -> None:
    _refused(admin, cluster, change)


def test_node__added_without_the_stored_passwords__refused_before_a_connection(admin: Caller, cluster: Cluster) -> None:
    _refused(admin, cluster, _node_added)


@pytest.mark.parametrize("change", [_node_moved, _port_changed])
def test_node__moved_without_the_stored_passwords__refused_before_a_connection(
    admin: Caller, cluster: Cluster, change: Change
) -> None:
    _refused(admin, cluster, change)


def _refused(admin: Caller, cluster: Cluster, change: Change) -> None:
    answer = _sent(admin, change, cluster)
    assert (answer.status, answer.body.get("code")) == (409, "stored_passwords_needed")
    assert [one["field"] for one in answer.body["errors"]] == [f"passwords.{role}" for role in sorted(CredentialRole)]
    assert NO_CHANGE in answer.body["detail"]
    assert _kept(cluster)


@pytest.mark.parametrize("change", CHANGES)
def test_change__with_another_password__refused_before_a_connection_and_recorded(
    admin: Caller, cluster: Cluster, change: Change
) -> None:
    answer = _sent(admin, change, cluster, STORED_PASSWORDS | {"operator": "guess"})
    assert (answer.status, answer.body["code"]) == (409, "stored_passwords_needed")
    (error,) = answer.body["errors"]
    assert error["field"] == "passwords.operator"
    assert error["message"].startswith("Another password is stored")
    (record,) = AuditRecord.objects.filter(action=REPEATED)
    assert record.facts == {
        "accounts": [f"{cluster.name}/{role}" for role in sorted(CredentialRole)],
        "counted": [f"{cluster.pk}/{role}" for role in sorted(CredentialRole)],
    }
    assert _kept(cluster)


@pytest.mark.parametrize("change", CHANGES)
def test_change__with_the_stored_passwords__made(admin: Caller, link: Link, change: Change) -> None:
    answer = _sent(admin, change, link.active_cluster, STORED_PASSWORDS)
    assert answer.status in (200, 201), answer.body
    assert not _kept(link.active_cluster)


def test_guesses__many_of_one_account__refused_before_the_result_is_told(
    admin: Caller, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 2)
    answers = [_sent(admin, _node_added, cluster, STORED_PASSWORDS | {"monitor": guess}) for guess in "abc"]
    assert [one.status for one in answers] == [409, 409, 429]
    assert _sent(admin, _node_added, cluster, STORED_PASSWORDS).status == 429


def _guess(admin: Caller, cluster: Cluster) -> int:
    return _sent(admin, _node_added, cluster, STORED_PASSWORDS | {"monitor": "guess"}).status


@pytest.mark.parametrize("by_file", [False, True])
def test_guesses__cluster_renamed_meanwhile__counted_as_before(
    admin: Caller, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, by_file: bool
) -> None:
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 2)
    assert [_guess(admin, cluster) for _ in "ab"] == [409, 409]
    renamed = admin.call("PATCH", f"/clusters/{cluster.pk}", {"name": "renamed", **NOT_TRIED}, If_Match="*")
    assert renamed.status == 200
    if by_file:
        document = DOCUMENT.replace("name: payments-a\n", "name: renamed\n")
        document = document.replace('reference: "env:PRODUCTION_MONITOR"', 'password: "env:PLAIN"')
        assert admin.post("/declarations", {"document": document, "references": {"env:PLAIN": "guess"}}).status == 429
    assert _guess(admin, cluster) == 429


def test_guesses__one_secret_of_a_store_under_two_clusters__counted_together(
    admin: Caller, cluster: Cluster, link: Link, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 2)
    for one in (cluster, link.standby_cluster):
        _in_the_store(one, monkeypatch, settings)
    assert [_guess(admin, cluster) for _ in "ab"] == [409, 409]
    body = {"name": "third", "host": "127.0.71.3", "port": 1, "passwords": STORED_PASSWORDS, **NOT_TRIED}
    assert admin.call("POST", f"/clusters/{link.standby_cluster_id}/nodes", body, If_Match="*").status == 429


@pytest.mark.parametrize("second", ["{}//monitor", "{}/..data/monitor", "{}/../linked/monitor"])
def test_guesses__one_file_under_two_names__counted_together(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path, second: str
) -> None:
    """As Kubernetes mounts a secret, below a folder that a link leads to; an earlier version took each spelling."""
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 1)
    mounted = tmp_path / "mounted"
    (mounted / "..1").mkdir(parents=True)
    (mounted / "..1" / "monitor").write_text("from-the-store\n")
    (mounted / "..data").symlink_to("..1")
    (mounted / "monitor").symlink_to("..data/monitor")
    (tmp_path / "linked").symlink_to("mounted")
    settings.HAWSER_SECRET_PATHS = [str(mounted), str(tmp_path / "linked")]
    names = (f"{mounted}/monitor", second.format(mounted).replace("mounted/../", ""))
    for one, name in zip((link.active_cluster, link.standby_cluster), names, strict=True):
        Credential.objects.filter(cluster=one, role="monitor").update(reference=f"file:{name}", sealed="")
    cache.forget()
    body = {"name": "third", "host": "127.0.71.3", "port": 1, "passwords": STORED_PASSWORDS, **NOT_TRIED}
    answers = [
        admin.call("POST", f"/clusters/{one.pk}/nodes", body, If_Match="*")
        for one in (link.active_cluster, link.standby_cluster)
    ]
    assert [one.status for one in answers] == [409, 429]


def _replaced_during(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, cluster: Cluster) -> list[Any]:
    """Another administrator replaces the operator's password just before this call, the first time."""
    real, done = getattr(module, name), []

    def slow(*given: Any, **options: Any) -> Any:
        if not done:
            done.append(given)
            row = Credential.objects.get(cluster=cluster, role="operator")
            row.sealed = seal("the new secret of today", cluster_id=cluster.pk, role="operator")
            row.save()
        return real(*given, **options)

    monkeypatch.setattr(module, name, slow)
    return done


@pytest.mark.parametrize("change", CHANGES)
def test_change__password_replaced_while_it_is_tried__not_stored(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    cluster = link.active_cluster
    for module, name in ((cluster_changes, "try_account"), (node_changes, "observe_once")):
        _replaced_during(monkeypatch, module, name, cluster)
    answer = _sent(admin, change, cluster, STORED_PASSWORDS)
    assert (answer.status, answer.body.get("code")) == (409, "stored_passwords_needed")
    assert [one["field"] for one in answer.body["errors"]] == ["passwords.operator"]
    assert _kept(cluster)


@pytest.mark.parametrize("change", CHANGES)
def test_change__password_replaced_before_it_is_tried__not_connected_with(
    admin: Caller, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    for module in (cluster_changes, node_changes):
        _replaced_during(monkeypatch, module, "cluster_access", cluster)
    answer = _sent(admin, change, cluster, STORED_PASSWORDS)
    assert (answer.status, answer.body.get("code")) == (409, "stored_passwords_needed")


@pytest.mark.parametrize("change", CHANGES)
def test_change__server_refuses_the_login_of_the_trial__sent_no_newer_password(
    admin: Caller, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    newest: list[Any] = []

    def observed(access: NodeAccess) -> None:
        newest.extend((access.monitor.newest, access.operator.newest))
        raise invalid("host", "Refused.", code="trial_failed", status=409)

    def tried(nodes: Any, _role: str, endpoint_of: Callable[[NodeAccess], NodeEndpoint]) -> list[Trial]:
        newest.extend(endpoint_of(node).newest for node in nodes)
        return [Trial(node.ref.name, is_reached=False) for node in nodes]

    monkeypatch.setattr(node_changes, "observe_once", observed)
    monkeypatch.setattr(cluster_changes, "try_account", tried)
    _sent(admin, change, cluster, STORED_PASSWORDS)
    assert set(newest) == {None}


def test_change__that_leads_nowhere_else__needs_no_password(admin: Caller, cluster: Cluster) -> None:
    node = cluster.nodes.all()[0]
    changed = [
        admin.call("PATCH", f"/clusters/{cluster.pk}", {"name": "renamed", **NOT_TRIED}, If_Match="*"),
        admin.call("PATCH", f"/nodes/{node.pk}", {"name": "renamed", "host": node.host, **NOT_TRIED}, If_Match="*"),
    ]
    assert [one.status for one in changed] == [200, 200]


def test_change__at_the_shell__asks_for_no_password(link: Link) -> None:
    cluster = link.active_cluster
    given = {"host": "127.0.71.3", "reason": "ticket 4711", "accept_unreachable": True}
    call_command("hawser_cluster", cluster.name, "add-node", "third", **given, stdout=io.StringIO())
    assert Node.objects.filter(cluster=cluster).count() == 3


def test_account__in_a_store__its_password_is_asked_for_as_well(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    cluster = link.active_cluster
    _in_the_store(cluster, monkeypatch, settings)
    assert _sent(admin, _node_added, cluster, STORED_PASSWORDS).body["errors"][0]["field"] == "passwords.monitor"
    assert _sent(admin, _node_added, cluster, STORED_PASSWORDS | {"monitor": "from-the-store"}).status == 201


def test_account__that_a_vault_makes__the_others_prove_it(admin: Caller, cluster: Cluster) -> None:
    Credential.objects.filter(cluster=cluster, role="monitor").update(reference="vault-db:database/hawser-monitor")
    errors = _sent(admin, _node_added, cluster).body["errors"]
    assert [one["field"] for one in errors] == ["passwords.operator", "passwords.replication"]


def _in_the_store(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.HAWSER_SECRET_VARIABLES = ["production=PRODUCTION_MONITOR"]
    monkeypatch.setenv("PRODUCTION_MONITOR", "from-the-store")
    cache.forget()
    Credential.objects.filter(cluster=cluster, role="monitor").update(reference="env:PRODUCTION_MONITOR", sealed="")


DOCUMENT = """
clusters:
  - name: payments-a
    site: site payments-a
    nodes:
      - {name: payments-a1, host: 127.0.71.1, port: 1}
      - {name: payments-a2, host: 127.0.71.9, port: 1}
    credentials:
      monitor: {user: u_monitor, reference: "env:PRODUCTION_MONITOR"}
      operator: {user: u_operator, password: "env:PLAIN"}
      replication: {user: u_replication, password: "env:PLAIN"}
    tls: {mode: disabled}
"""


@pytest.mark.parametrize(("given", "outcome"), [("from-the-store", "done"), ("guess", "refused"), (None, "refused")])
def test_declaration__node_moves__the_password_in_the_store_is_given_under_its_reference(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch, settings: Any, given: str | None, outcome: str
) -> None:
    _in_the_store(link.active_cluster, monkeypatch, settings)
    values = {"env:PLAIN": PLAIN} | ({} if given is None else {"env:PRODUCTION_MONITOR": given})
    body = {"document": DOCUMENT, "references": values, "accept_unreachable": True}
    digest = admin.post("/declarations", body).body["digest"]
    answer = admin.post("/declarations/apply", {**body, "digest": digest, "reason": "ticket 4711"})
    (change,) = answer.body["changes"]
    assert change["outcome"] == outcome, change
    assert Node.objects.filter(host="127.0.71.9").exists() is (outcome == "done")


@pytest.mark.parametrize("environment", ["test", ""])
def test_reference__of_another_environment__refused(
    admin: Caller, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, settings: Any, environment: str
) -> None:
    _in_the_store(cluster, monkeypatch, settings)
    Cluster.objects.filter(pk=cluster.pk).update(environment=environment)
    body = {"user": "hawser", "reference": "env:PRODUCTION_MONITOR", **NOT_TRIED}
    answer = admin.call("PUT", f"/clusters/{cluster.pk}/credentials/monitor", body, If_Match="*")
    assert (answer.status, answer.body.get("code")) == (400, "reference_refused")
    assert "environment production" in answer.body["detail"]
    assert "from-the-store" not in str(answer.body)


def test_limit__registered_for_everything__a_reference_of_any_environment_may_be_named(
    admin: Caller, monkeypatch: pytest.MonkeyPatch, link: Link, settings: Any
) -> None:
    _in_the_store(link.active_cluster, monkeypatch, settings)
    body = cluster_body("oslo", "127.0.77.1")
    body["credentials"]["monitor"] = {"user": "hawser", "reference": "env:PRODUCTION_MONITOR"}
    assert admin.post("/clusters", body).status == 201
