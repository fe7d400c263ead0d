"""The client certificate of a cluster in the guided registration: checked, sealed, shown without its key, and used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.serializers import serialize

from backend.clusters.client_key import stored_tls
from backend.clusters.models import Cluster
from backend.registration.declaration.document import PasswordDigests
from backend.registration.declaration.host_file import read_file
from backend.registration.models import DraftCredential
from tests.api.guided import Guide, RecordedServers, servers
from tests.backend.secret_stores.conftest import folder
from tests.support.certificates import authority
from tests.support.console import Answer, Caller

__all__ = ["folder", "servers"]
CA = authority("Site CA")
CLIENT, RENEWED = CA.signs("hawser"), CA.signs("hawser")
GIVEN = {"cert": CLIENT.cert, "private_key": CLIENT.key}


def _set(guide: Guide, **tls: Any) -> Answer:
    return guide.step("", "PATCH", first={"tls": tls})


def _stored() -> str:
    every = [model for model in apps.get_models() if model._meta.managed]
    return "".join(serialize("json", model._default_manager.all()) for model in every)


def test_draft__client_certificate__sealed_shown_without_its_key_and_used(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    assert _set(guide, ca=CA.cert, **GIVEN).status == 200
    shown = guide.body["first"]["tls"]
    assert [(one["kind"], one["subject"]) for one in shown["certificates"]] == [
        ("authority", "CN=Site CA"),
        ("client", "CN=hawser"),
    ]
    assert (shown["cert"], shown["key_reference"]) == (CLIENT.cert.strip(), None)
    line = CLIENT.key.splitlines()[1]
    assert line not in json.dumps(guide.body) + _stored()
    guide.all_steps()
    assert {login.client.key_pem for login in servers.logins[:2]} == {CLIENT.key}
    assert guide.step("register").status == 200
    assert stored_tls(Cluster.objects.get(name="milan")).key_pem == CLIENT.key
    assert stored_tls(Cluster.objects.get(name="frankfurt")).key_pem == ""
    assert not DraftCredential.objects.exists()
    assert line not in _stored()


def test_draft__key_of_another_certificate__refused_at_its_field(admin: Caller) -> None:
    guide = Guide(admin)
    answer = _set(guide, **GIVEN | {"private_key": RENEWED.key})
    assert answer.status == 400, answer.body
    assert answer.body["errors"][0]["field"] == "first.tls.private_key"
    assert not DraftCredential.objects.exists()


@pytest.mark.parametrize(
    ("tls", "field"),
    [
        ({"cert": CLIENT.cert}, "first.tls.private_key"),
        ({"private_key": CLIENT.key}, "first.tls.cert"),
        ({"cert": CLIENT.cert, "key_reference": "file:/etc/shadow"}, "first.tls.key_reference"),
        ({"cert": "x", "private_key": CLIENT.key}, "first.tls.cert"),
    ],
)
def test_draft__what_is_no_certificate_with_its_key__refused(admin: Caller, tls: dict[str, str], field: str) -> None:
    answer = _set(Guide(admin), **tls)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, field), answer.body


def test_draft__certificate_renewed_moved_to_a_store_and_removed(admin: Caller, folder: Path, tmp_path: Path) -> None:
    (folder / "key").write_text(RENEWED.key)
    guide = Guide(admin)
    assert _set(guide, mode="required", **GIVEN).status == 200
    assert _set(guide, ca=CA.cert).status == 200
    assert guide.body["first"]["tls"]["cert"] == CLIENT.cert.strip()
    assert _set(guide, cert=RENEWED.cert, key_reference=f"file:{folder}/key").status == 200
    row = DraftCredential.objects.get()
    assert (row.sealed, row.reference, guide.body["first"]["tls"]["key_reference"]) == (
        "",
        f"file:{folder}/key",
        f"file:{folder}/key",
    )
    assert f"key_reference: file:{folder}/key" in guide.body["declaration"]
    assert "cert_file: milan-client.pem" in guide.body["declaration"]
    assert _set(guide, cert="").status == 200
    assert (guide.body["first"]["tls"]["cert"], DraftCredential.objects.count()) == ("", 0)


def test_draft__as_a_file__applies_with_the_key_from_the_environment(
    admin: Caller, servers: RecordedServers, tmp_path: Path
) -> None:
    guide = Guide(admin)
    _set(guide, ca=CA.cert, **GIVEN)
    guide.all_steps()
    for name, text in (("milan-ca.pem", CA.cert), ("milan-client.pem", CLIENT.cert)):
        (tmp_path / name).write_text(text)
    (tmp_path / "link.yaml").write_text(guide.body["declaration"])
    environment = {f"{name}_{role}": "p" for name in ("MILAN", "FRANKFURT") for role in ("MONITOR", "OPERATOR")}
    environment |= {"MILAN_REPLICATION": "p", "FRANKFURT_REPLICATION": "p", "MILAN_CLIENT_KEY": CLIENT.key}
    declaration = read_file(tmp_path / "link.yaml", PasswordDigests(), environment)
    assert declaration.keys == {"milan": CLIENT.key}
