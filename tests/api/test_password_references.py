"""Passwords by reference, over the API: checked where they are entered, never returned, and refused while unknown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters import reference_watch
from backend.clusters.models import Credential, CredentialRole
from backend.clusters.references import SecretUnavailableError
from backend.clusters.secret_stores import cache
from backend.clusters.selectors import account, cluster_access, cluster_get
from backend.gateway.trials import Trial
from backend.registration import credentials
from tests.backend.secret_stores.conftest import folder
from tests.support.console import Caller, cluster_body, make_link

__all__ = ["folder"]
pytestmark = pytest.mark.django_db
VALUE = "value-of-the-store"


def stored(folder: Path) -> str:
    """A reference to a file with a password."""
    (folder / "monitor").write_text(VALUE)
    return f"file:{folder}/monitor"


def body(reference: str, role: str = "monitor") -> dict[str, Any]:
    """A cluster whose account of a role has its password by reference."""
    made = cluster_body("oslo", "127.0.77.1", "127.0.77.2")
    made["credentials"][role] = {"user": f"u_{role}", "reference": reference}
    return made


def test_register__by_reference__read_when_needed_and_never_shown(admin: Caller, folder: Path) -> None:
    answer = admin.post("/clusters", body(stored(folder)))
    assert answer.status == 201, answer.body
    cluster = cluster_get(answer.body["id"])
    row = Credential.objects.get(cluster=cluster, role="monitor")
    assert (row.sealed, row.reference) == ("", f"file:{folder}/monitor")
    assert cluster_access(cluster).nodes[0].monitor.password == VALUE
    shown = admin.get(f"/clusters/{cluster.pk}").body
    records = json.dumps([record.facts for record in AuditRecord.objects.all()])
    assert shown["accounts"][0]["reference"] == row.reference
    assert row.reference in records
    assert VALUE not in json.dumps(shown) + records + repr(cluster_access(cluster))


@pytest.mark.parametrize("reference", ["file:/etc/shadow", "env:HAWSER_SECRET_KEY", "hunter2", "vault:secret/x#y"])
def test_register__reference_that_is_not_allowed__refused_at_its_field(admin: Caller, reference: str) -> None:
    answer = admin.post("/clusters", body(reference)).body
    assert answer["code"] == "reference_refused"
    assert answer["errors"][0]["field"] == "credentials.monitor.reference"
    assert "hunter2" not in json.dumps(answer)


def test_register__store_gives_nothing__refused(admin: Caller, folder: Path) -> None:
    answer = admin.post("/clusters", body(f"file:{folder}/missing"))
    assert (answer.status, answer.body["code"]) == (409, "secret_unavailable")


def test_register__account_that_changes__for_the_monitor_only(admin: Caller, settings: Any) -> None:
    """A worker recognizes the sessions of a dead one by the account; a channel stores its password."""
    settings.HAWSER_VAULT_URL, settings.HAWSER_VAULT_PATHS = "https://vault.invalid", ["database"]
    for role in ("operator", "replication"):
        answer = admin.post("/clusters", body("vault-db:database/hawser", role)).body
        assert answer["code"] == "reference_refused"
        assert "recognizes the sessions" in answer["detail"]


def test_register__password_and_reference__refused(admin: Caller, folder: Path) -> None:
    made = body(stored(folder))
    made["credentials"]["monitor"]["password"] = "both"
    assert admin.post("/clusters", made).body["code"] == "validation_failed"


def test_account__changed_to_a_reference__kept_for_the_next_connection(
    admin: Caller, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials, "try_account", lambda nodes, *_: [Trial(one.ref.name, True) for one in nodes])
    cluster = make_link().active_cluster
    given = {"user": "u_new", "reference": stored(folder), "reason": "kept by the host"}
    assert admin.call("PUT", f"/clusters/{cluster.pk}/credentials/monitor", given, If_Match="*").status == 200
    row = Credential.objects.get(cluster=cluster, role="monitor")
    assert account(cluster, CredentialRole.MONITOR) == ("u_new", VALUE)
    (folder / "monitor").write_text("rotated")
    access = cluster_access(cluster).nodes[0].monitor
    monkeypatch.setattr(cache, "JUST_S", -1.0)
    renewed = access.renewed()
    assert (row.sealed, renewed.password if renewed else "") == ("", "rotated")


def test_plan__store_does_not_answer__unknown_and_refused(operator: Caller, folder: Path) -> None:
    link = make_link()
    Credential.objects.filter(cluster=link.active_cluster, role="monitor").update(reference=stored(folder))
    assert cluster_access(link.active_cluster)
    (folder / "monitor").unlink()
    cache._held.update(_outdated())
    answer = operator.post(f"/links/{link.id}/plans", {"kind": "relocate"}).body
    assert "secret_store_unknown" in {finding["code"] for finding in answer["findings"]}
    cache.forget()
    answer = operator.post(f"/links/{link.id}/plans", {"kind": "relocate"})
    assert (answer.status, answer.body["code"]) == (409, "secret_unavailable")


def _outdated() -> Iterator[tuple[str, Any]]:

    for key, held in list(cache._held.items()):
        yield key, replace(held, read_s=held.read_s - cache.FRESH_S - 1, tried_s=held.tried_s - cache.FRESH_S - 1)


def test_watch__store_gives_nothing_any_more__said_and_taken_back(folder: Path) -> None:
    link = make_link()
    Credential.objects.filter(cluster=link.active_cluster, role="monitor").update(reference=stored(folder))
    row = Credential.objects.get(cluster=link.active_cluster, role="monitor")
    reference_watch.record_reading(row)
    assert row.read_at is not None
    (folder / "monitor").unlink()
    cache.forget()
    reference_watch.record_reading(row)
    assert "cannot be read" in (row.read_problem or "")
    with pytest.raises(SecretUnavailableError):
        account(link.active_cluster, CredentialRole.MONITOR)
