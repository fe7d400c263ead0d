"""`hawser_apply`: done by the services of the other commands, in order, once; nodes here are down."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.audit.models import AuditRecord
from backend.clusters.client_key import stored_tls
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.clusters.selectors import account
from backend.clusters.versions import registration_stamp
from backend.identity.accounts.models import ProtectedChange
from backend.registration.declaration import execution
from tests.backend.declaration.declared_file import ENVIRONMENT, PASSWORD, TEXT
from tests.backend.secret_stores.conftest import folder
from tests.support.certificates import authority

__all__ = ["folder"]

Apply = Callable[..., tuple[int, str]]


@pytest.fixture
def apply(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Apply:
    """The exit code and the output of the command for a text."""
    monkeypatch.setenv(*next(iter(ENVIRONMENT.items())))

    def call(text: str, *options: str) -> tuple[int, str]:
        file, out = tmp_path / "link.yaml", io.StringIO()
        file.write_text(text)
        try:
            call_command("hawser_apply", "-f", str(file), *options, stdout=out)
        except CommandError as error:
            return error.returncode, f"{out.getvalue()}{error}"
        except SystemExit as end:
            return int(str(end.code)), out.getvalue()
        return 0, out.getvalue()

    return call


def _stored() -> list[Any]:
    models = (Cluster, Node, Credential, Link, AuditRecord)
    return [list(model.objects.order_by("pk").values()) for model in models]


def _actions() -> list[str]:
    return [record.action for record in AuditRecord.objects.order_by("seq") if ":" in record.action]


def test_apply__password_that_stays_in_a_store__only_its_reference_is_stored_and_compared(
    apply: Apply, folder: Path
) -> None:
    (folder / "monitor").write_text("of the store")
    (folder / "other").write_text("of the store")
    account_text = f"{{user: u_monitor, reference: 'file:{folder}/monitor'}}"
    text = TEXT.replace("{user: u_monitor, password: env:M_PASSWORD}", account_text)
    assert apply(text, "--reason", "new site")[0] == 0
    row = Credential.objects.get(cluster__name="milan", role="monitor")
    assert (row.sealed, row.reference) == ("", f"file:{folder}/monitor")
    assert apply(text) == (0, "No differences. Nothing was changed.\n")
    code, out = apply(text.replace(f"{folder}/monitor", f"{folder}/other"), "--reason", "x", "--accept-unreachable")
    assert (code, out.count(f"password: file:{folder}/other")) == (0, 2), out
    assert Credential.objects.get(pk=row.pk).reference == f"file:{folder}/other"
    assert apply(TEXT, "--reason", "x", "--accept-unreachable")[0] == 0
    assert Credential.objects.get(pk=row.pk).reference is None
    code, out = apply(text.replace(f"file:{folder}/monitor", "file:/etc/shadow"), "--reason", "x")
    assert (code != 0, "HAWSER_SECRET_PATHS" in out) == (True, True)


def test_apply__client_certificate__sealed_renewed_moved_to_a_store_and_never_printed(
    apply: Apply, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ca = authority()
    first, second = ca.signs("hawser"), ca.signs("hawser")
    (tmp_path / "ca.pem").write_text(ca.cert)
    (tmp_path / "client.pem").write_text(first.cert)
    monkeypatch.setenv("CLIENT_KEY", first.key)
    tls = "mode: verify_ca, ca_file: ca.pem, cert_file: client.pem"
    text = TEXT.replace("mode: disabled", f"{tls}, key: env:CLIENT_KEY", 1)
    shown = apply(text, "--reason", "x")
    assert (shown[0], "tls.key: sealed" in shown[1]) == (0, True), shown
    milan = Cluster.objects.get(name="milan")
    assert stored_tls(milan).key_pem == first.key
    assert apply(text) == (0, "No differences. Nothing was changed.\n")
    assert apply(TEXT.replace("mode: disabled", "mode: verify_ca, ca_file: ca.pem", 1))[1].startswith("No differences")
    weaker = TEXT.replace("mode: disabled", "mode: required, ca_file: ca.pem", 1)
    assert apply(weaker, "--reason", "x", "--accept-unreachable")[0] == 0
    milan.refresh_from_db()
    assert (milan.tls_mode, stored_tls(milan).key_pem) == ("required", first.key)

    (tmp_path / "client.pem").write_text(second.cert)
    refused = apply(text, "--reason", "x", "--accept-unreachable")
    assert (refused[0], "clusters[0].tls.key: This private key does not belong" in refused[1]) == (2, True), refused
    (folder / "key").write_text(second.key)
    moved = TEXT.replace("mode: disabled", f"{tls}, key_reference: 'file:{folder}/key'", 1)
    code, out = apply(moved, "--reason", "x", "--accept-unreachable")
    assert (code, f"tls.key: sealed -> file:{folder}/key" in out) == (0, True), out
    milan.refresh_from_db()
    assert (milan.tls_key_sealed, stored_tls(milan).key_pem) == ("", second.key)
    for key in (first.key, second.key):
        assert key.splitlines()[1] not in str(_stored()) + shown[1] + refused[1] + out


def test_apply__nothing_registered__registers_in_order_and_then_finds_no_difference(apply: Apply) -> None:
    code, out = apply(TEXT, "--reason", "new site")
    assert (code, out.count("[done]")) == (0, 3)
    assert _actions()[-3:] == ["cli:cluster:register", "cli:cluster:register", "cli:link:register"]
    assert {record.reason for record in AuditRecord.objects.filter(action__startswith="cli:")} == {"new site"}
    assert Link.objects.get().active_cluster.name == "milan"
    before = _stored()
    assert apply(TEXT) == (0, "No differences. Nothing was changed.\n")
    assert apply(TEXT, "--dry-run", "--prune")[0] == 0
    assert _stored() == before


def test_apply__dry_run__shows_the_differences_and_changes_nothing(apply: Apply) -> None:
    code, out = apply(TEXT, "--dry-run")
    assert code == 3
    assert "+ cluster milan\n    site: a\n" in out
    assert "+ link payments\n    clusters: milan, rome\n" in out
    assert out.endswith("3 changes to make, in this order. Nothing was changed.\n")
    assert not Cluster.objects.exists()


def test_apply__changes__stored_and_recorded_without_the_password(
    apply: Apply, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(TEXT)
    monkeypatch.setenv("NEW", "canary-new-secret")
    text = TEXT.replace("site: a\n", "site: a9\n").replace("home: milan", "home: rome")
    text = text.replace("user: u_monitor, password: env:M_PASSWORD", "user: m2, password: env:NEW")
    text = text.replace("- {name: a2, host: 127.0.71.2, port: 1}", "- {name: a3, host: 127.0.71.3, port: 1}")
    code, out = apply(text, "--accept-unreachable")
    assert code == 0
    assert "~ account milan/monitor  [done]\n    user: u_monitor -> m2\n    password: changed\n" in out
    assert "! node milan/a2 is registered and not in the file. --prune removes it." in out
    milan = Cluster.objects.get(name="milan")
    assert (milan.site, milan.nodes.count(), account(milan, CredentialRole.MONITOR)) == (
        "a9",
        3,
        ("m2", "canary-new-secret"),
    )
    assert Link.objects.get().home_cluster == Cluster.objects.get(name="rome")
    assert _actions()[-5:] == [
        "cli:cluster:update",
        "cli:cluster:replace_credential",
        "cli:node:add",
        "cli:cluster:replace_credential",
        "cli:link:update",
    ]
    for secret in (PASSWORD, "canary-new-secret"):
        assert secret not in out + str(_stored()[-1])
    assert apply(text, "--accept-unreachable")[1].endswith("No differences. Nothing was changed.\n")


def test_apply__refused__stops_there_and_says_what_was_done(apply: Apply) -> None:
    apply(TEXT)
    text = (
        TEXT.replace("site: a\n", "site: a9\n")
        .replace("user: u_monitor", "user: m2")
        .replace("home: milan", "home: rome")
    )
    code, out = apply(text)
    assert code == 1
    assert "~ cluster milan  [done]" in out
    assert "~ account milan/monitor  [refused]" in out
    assert "~ link payments  [not done]" in out
    assert "1 change made, 1 refused, 2 not made." in out
    assert "did not respond" in out
    assert Cluster.objects.get(name="milan").site == "a9"
    assert Credential.objects.get(cluster__name="milan", role="monitor").user == "u_monitor"


def test_apply__prune__removes_only_what_the_services_allow(apply: Apply, monkeypatch: pytest.MonkeyPatch) -> None:
    apply(TEXT)
    text = TEXT.replace("      - {name: a2, host: 127.0.71.2, port: 1}\n", "").partition("links:")[0]
    assert apply(text)[0] == 0
    code, out = apply(text, "--prune")
    assert (code, Node.objects.filter(name="a2").exists()) == (1, True)
    assert "still a member" in out
    removed = []
    monkeypatch.setattr(execution, "node_remove", lambda *, change, node: removed.append((change.source, node.name)))
    assert apply(text, "--prune")[0] == 0
    assert removed == [("cli", "a2")]
    assert Link.objects.filter(retired_at=None).exists()


def test_apply__changed_by_another_administrator_since__refused(apply: Apply, monkeypatch: pytest.MonkeyPatch) -> None:
    apply(TEXT)
    text = TEXT.replace("home: milan", "home: rome")
    named = execution.link_named

    def changed_first(name: str) -> Link:
        Link.objects.update(version=7)
        return named(name)

    monkeypatch.setattr(execution, "link_named", changed_first)
    code, out = apply(text)
    assert code == 1
    assert "was changed in the meantime" in out
    assert Link.objects.get().home_cluster == Cluster.objects.get(name="milan")


def test_apply__end_of_the_approval_rule__waits_and_is_requested_once(
    apply: Apply, admin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(TEXT.replace("home: milan", "home: milan\n    requires_approval: true"))
    monkeypatch.setattr("backend.identity.accounts.protected_changes.is_installation", lambda: False)
    text = TEXT.replace("home: milan", "home: milan\n    requires_approval: false")
    code, out = apply(text)
    assert code == 0
    assert "waits for a second administrator" in out
    assert Link.objects.get().requires_approval
    assert apply(text) == (0, "No differences. Nothing was changed.\n")
    assert ProtectedChange.objects.count() == 1


def test_apply__stored_password_cannot_be_decrypted__stored_again(apply: Apply) -> None:
    apply(TEXT)
    Credential.objects.filter(cluster__name="milan", role="monitor").update(sealed="damaged")
    code, out = apply(TEXT, "--accept-unreachable")
    assert code == 0, out
    assert "~ account milan/monitor" in out
    assert apply(TEXT) == (0, "No differences. Nothing was changed.\n")


def test_apply__tls_changed_where_a_password_cannot_be_decrypted__refused_with_the_way_out(apply: Apply) -> None:
    apply(TEXT)
    Credential.objects.filter(cluster__name="milan").update(sealed="damaged")
    code, out = apply(TEXT.replace("mode: disabled", "mode: required", 1))
    assert code == 1
    assert "Configure the key that it was encrypted with." in out


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_apply__bad_file__nothing_compared(apply: Apply, options: tuple[str, ...]) -> None:
    stamp = registration_stamp()
    code, out = apply(TEXT.replace("port: 1}", "port: x}"), *options)
    assert code == 2
    assert "clusters[0].nodes[0].port: Write a number" in out
    assert "Nothing was changed." in out
    assert registration_stamp() == stamp


def test_apply__obstacle__refused_before_the_first_change(apply: Apply) -> None:
    apply(TEXT)
    text = TEXT.replace("site: a\n", "site: a9\n").replace("home: milan", "home: milan\n    channel_name: dr")
    code, out = apply(text)
    assert code == 1
    assert "links[0].channel_name: The channels of payments are named ''." in out
    assert Cluster.objects.get(name="milan").site == "a"


def test_apply__json__one_object_with_code_and_outcomes(apply: Apply) -> None:
    apply(TEXT)
    code, out = apply(TEXT.replace("user: u_monitor", "user: m2"), "--json")
    answer = json.loads(out)
    assert code == 1
    assert [change["outcome"] for change in answer["changes"]] == ["refused", "not_done"]
    assert answer["changes"][0]["fields"]["password"] == {"before": "stored", "after": "unchanged"}
    code, out = apply("clusters: 7", "--json")
    assert (code, json.loads(out)["faults"][0]["path"]) == (2, "clusters")
