"""The console's client certificate for a cluster, over the API: checked, sealed or by reference, and never returned."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster
from backend.clusters.references import reference_findings
from backend.clusters.secret_stores import cache
from backend.clusters.selectors import cluster_access, cluster_get
from backend.registration.retirement import retire_cluster_row
from tests.backend.secret_stores.conftest import folder
from tests.support.certificates import DAY, authority
from tests.support.console import STORED_PASSWORDS, Caller, cluster_body

__all__ = ["folder"]
pytestmark = pytest.mark.django_db
CA, STRANGE = authority("Test CA"), authority("Strange CA")
CLIENT = CA.signs("hawser")
TLS = {"mode": "verify_identity", "ca": CA.cert, "cert": CLIENT.cert, "private_key": CLIENT.key}
NO_KEY = {key: value for key, value in TLS.items() if key != "private_key"}


def _body(tls: dict[str, Any]) -> dict[str, Any]:
    return cluster_body("oslo", "127.0.77.1") | {"tls": tls}


def _registered(admin: Caller, tls: dict[str, Any]) -> Cluster:
    answer = admin.post("/clusters", _body(tls))
    assert answer.status == 201, answer.body
    return cluster_get(answer.body["id"])


def _changed(admin: Caller, cluster: Cluster, tls: dict[str, Any]) -> Any:
    body = {"tls": tls, "passwords": STORED_PASSWORDS, "accept_unreachable": True, "reason": "test"}
    return admin.call("PATCH", f"/clusters/{cluster.pk}", body, if_match=f'"{cluster_get(cluster.pk).version}"')


def test_register__certificate_and_key__sealed_used_and_shown_nowhere(admin: Caller) -> None:
    cluster = _registered(admin, TLS)
    tls = cluster_access(cluster).nodes[0].operator.tls
    assert (tls.cert_pem, tls.key_pem) == (CLIENT.cert.strip(), CLIENT.key)
    shown = admin.get(f"/clusters/{cluster.pk}").body
    assert shown["tls"]["has_client_certificate"] is True
    records = json.dumps([record.facts for record in AuditRecord.objects.all()])
    line = CLIENT.key.splitlines()[1]
    assert line not in json.dumps(shown) + records + repr(cluster_access(cluster)) + cluster.tls_key_sealed


def test_key__by_reference__read_when_needed_and_a_password_is_none(admin: Caller, folder: Path) -> None:
    (folder / "key").write_text(CLIENT.key)
    (folder / "password").write_text("no-key")
    reference = f"file:{folder}/key"
    cluster = _registered(admin, NO_KEY | {"key_reference": reference})
    assert (cluster.tls_key_sealed, cluster.tls_key_reference) == ("", reference)
    assert cluster_access(cluster).nodes[0].monitor.tls.key_pem == CLIENT.key
    answer = admin.post("/clusters", _body(NO_KEY | {"key_reference": f"file:{folder}/password"}))
    assert (answer.status, answer.body["errors"][0]["field"]) == (409, "tls.key_reference")
    assert admin.post("/clusters", _body(NO_KEY | {"key_reference": "file:/etc/x"})).body["code"] == "reference_refused"
    (folder / "key").unlink()
    cache.forget()
    assert [one.code for one in reference_findings([cluster])] == ["secret_store_unknown"]


def test_password__by_reference_to_a_key__refused(admin: Caller, folder: Path) -> None:
    (folder / "key").write_text(CLIENT.key)
    made = cluster_body("oslo", "127.0.77.1")
    made["credentials"]["monitor"] = {"user": "u", "reference": f"file:{folder}/key"}
    answer = admin.post("/clusters", made)
    assert (answer.status, answer.body["errors"][0]["field"]) == (409, "credentials.monitor.reference")


@pytest.mark.parametrize(
    ("tls", "field", "sentence"),
    [
        (NO_KEY, "tls.private_key", "needs its private key"),
        (TLS | {"private_key": STRANGE.key}, "tls.private_key", "does not belong"),
        (TLS | {"private_key": "x"}, "tls.private_key", "not a private key"),
        (TLS | {"cert": "x"}, "tls.cert", "not a PEM certificate"),
        (TLS | {"cert": CA.signs("old", begins=-3 * DAY, ends=-DAY).cert}, "tls.cert", "has ended on"),
        (TLS | {"cert": CA.signs("new", begins=DAY).cert}, "tls.cert", "begins on"),
        (TLS | {"mode": "disabled"}, "tls.mode", "needs TLS"),
        (TLS | {"ca": authority("Old CA", begins=-3 * DAY, ends=-DAY).cert}, "tls.ca", "has ended (CN=Old CA"),
        ({"mode": "required", "private_key": CLIENT.key}, "tls.cert", "without its certificate"),
        (TLS | {"key_reference": "file:/x"}, "tls.private_key", "not both"),
    ],
)
def test_register__what_cannot_be_used__refused_at_its_field(
    admin: Caller, tls: dict[str, Any], field: str, sentence: str
) -> None:
    answer = admin.post("/clusters", _body(tls))
    assert answer.status == 400, answer.body
    assert answer.body["errors"][0]["field"] == field
    assert sentence in answer.body["errors"][0]["message"]


def test_update__what_is_not_named_stays_and_a_blank_certificate_removes_the_key(admin: Caller) -> None:
    cluster = _registered(admin, TLS)
    assert _changed(admin, cluster, {"mode": "verify_ca"}).status == 200
    assert cluster_access(cluster_get(cluster.pk)).nodes[0].monitor.tls.key_pem == CLIENT.key
    renewed = CA.signs("hawser", ends=timedelta(days=365))
    assert _changed(admin, cluster, {"mode": "verify_ca", "cert": renewed.cert}).status == 400
    both = {"cert": renewed.cert, "private_key": renewed.key}
    assert _changed(admin, cluster, {"mode": "verify_ca", **both}).status == 200
    assert cluster_access(cluster_get(cluster.pk)).nodes[0].monitor.tls.key_pem == renewed.key
    assert _changed(admin, cluster, {"mode": "verify_ca", "cert": ""}).status == 200
    stored = cluster_get(cluster.pk)
    assert (stored.tls_cert, stored.tls_key_sealed, stored.tls_key_reference) == ("", "", None)


def test_key__resealed_and_deleted_with_its_cluster(admin: Caller) -> None:
    cluster = _registered(admin, TLS)
    before = cluster.tls_key_sealed
    call_command("hawser_reseal")
    stored = cluster_get(cluster.pk)
    assert stored.tls_key_sealed != before
    assert cluster_access(stored).nodes[0].monitor.tls.key_pem == CLIENT.key
    retire_cluster_row(stored)
    assert cluster_get(cluster.pk).tls_key_sealed == ""
