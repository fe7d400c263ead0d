"""`hawser_cluster` and `hawser_link`: what the API changes, without a browser; nodes here are down."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, Credential, Link, Node
from backend.clusters.selectors import cluster_access
from tests.backend.secret_stores.conftest import folder
from tests.support.certificates import authority
from tests.support.console import CANARY, make_link

__all__ = ["folder"]


def _call(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, "--reason", "ticket", stdout=out)
    return out.getvalue().strip()


@pytest.mark.parametrize(
    ("arguments", "answer", "action"),
    [
        (("hawser_cluster", "payments-a", "update", "--name", "milan"), "milan is registered at", "cluster:update"),
        (
            ("hawser_cluster", "payments-a", "add-node", "a3", "--host", "127.0.71.3", "--accept-unreachable"),
            "a3 is registered at 127.0.71.3:3306.",
            "node:add",
        ),
        (
            ("hawser_cluster", "payments-a", "update-node", "payments-a1", "--name", "a1"),
            "a1 is registered at 127.0.71.1:1.",
            "node:update",
        ),
        (("hawser_link", "payments", "update", "--home", "payments-b"), "payments is registered with", "link:update"),
        (("hawser_link", "payments", "update", "--writes-on-both-sides"), "payments is registered with", "link:update"),
        (("hawser_link", "payments", "pause", "--minutes", "30"), "payments is in maintenance until", "link:pause"),
        (("hawser_link", "payments", "resume"), "payments is not in maintenance.", "link:resume"),
        (("hawser_link", "payments", "retire"), "payments is retired.", "link:retire"),
    ],
)
def test_command__change__done_and_recorded_as_of_this_shell(
    link: Link, arguments: tuple[str, ...], answer: str, action: str
) -> None:
    assert _call(*arguments).startswith(answer)
    record = AuditRecord.objects.order_by("-seq")[0]
    assert (record.action, record.reason) == (f"cli:{action}", "ticket")
    assert record.actor.startswith("command line")


def test_command__account__password_from_standard_input_only(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{CANARY}\n"))
    arguments = ("hawser_cluster", "payments-a", "account", "monitor", "--user", "m2", "--accept-unreachable")
    assert _call(*arguments) == "payments-a uses m2 as its monitor account."
    assert Credential.objects.get(cluster__name="payments-a", role="monitor").user == "m2"
    assert CANARY not in str(AuditRecord.objects.order_by("-seq")[0].facts)


def test_command__account_by_reference__nothing_is_asked_for_at_the_shell(
    link: Link, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    (folder / "monitor").write_text("of the store")
    arguments = ("hawser_cluster", "payments-a", "account", "monitor", "--user", "m2", "--accept-unreachable")
    assert _call(*arguments, "--reference", f"file:{folder}/monitor") == "payments-a uses m2 as its monitor account."
    row = Credential.objects.get(cluster__name="payments-a", role="monitor")
    assert (row.sealed, row.reference) == ("", f"file:{folder}/monitor")
    with pytest.raises(CommandError, match="HAWSER_SECRET_PATHS"):
        _call(*arguments, "--reference", "file:/etc/shadow")


def test_command__tls__client_certificate_stored_and_removed(link: Link, tmp_path: Path) -> None:
    ca = authority()
    client, files = ca.signs("hawser"), {}
    for name, text in (("ca", ca.cert), ("cert", client.cert), ("key", client.key)):
        files[name] = tmp_path / name
        files[name].write_text(text)
    arguments = ("hawser_cluster", "payments-a", "tls", "--mode", "verify_ca", "--accept-unreachable")
    given = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    assert _call(*arguments, *given).endswith("in TLS mode verify_ca and shows a client certificate.")
    cluster = Cluster.objects.get(name="payments-a")
    assert cluster_access(cluster).nodes[0].operator.tls.key_pem == client.key
    assert _call(*arguments, "--no-cert").endswith("shows no client certificate.")
    with pytest.raises(CommandError, match="cannot be read"):
        _call(*arguments, "--ca", str(tmp_path / "none"))


def test_command__writes_on_both_sides__set_and_taken_back(link: Link) -> None:
    assert _call("hawser_link", "payments", "update", "--writes-on-both-sides").endswith("both sides are written.")
    assert Link.objects.get(pk=link.pk).writes_on_both_sides
    assert _call("hawser_link", "payments", "update", "--no-writes-on-both-sides").endswith("one side is written.")
    assert not Link.objects.get(pk=link.pk).writes_on_both_sides


def test_command__two_links__names_swapped(link: Link) -> None:
    make_link("other", "127.0.72")
    assert _call("hawser_link", "payments", "swap-names", "other") == "payments and other have swapped their names."
    assert Link.objects.get(pk=link.pk).name == "other"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("hawser_cluster", "nowhere", "update", "--name", "x"), "No such cluster"),
        (("hawser_cluster", "payments-a", "update"), "--name or --site"),
        (("hawser_cluster", "payments-a", "remove-node", "payments-a1"), "still a member"),
        (("hawser_cluster", "payments-a", "confirm-server", "payments-a1", "--server-id", "7"), "did not respond"),
        (("hawser_cluster", "payments-a", "replace", "--state-uuid", "x"), "state UUID"),
        (("hawser_cluster", "payments-a", "retire"), "Retire the link first"),
        (("hawser_link", "payments", "update"), "--home or --writes-on-both-sides"),
        (("hawser_link", "payments", "pause", "--minutes", "99999"), "at most 7 days"),
        (("hawser_link", "nowhere", "resume"), "No such link"),
    ],
)
def test_command__refused__says_why_and_changes_nothing(link: Link, arguments: tuple[str, ...], part: str) -> None:
    before = _stored()
    with pytest.raises(CommandError, match=part):
        _call(*arguments)
    assert _stored() == before


def _stored() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Cluster, Node, Link)]


def test_command__members_of_nodes_never_read__unknown(link: Link) -> None:
    out = io.StringIO()
    call_command("hawser_cluster", "payments-a", "members", stdout=out)
    assert "members: unknown" in out.getvalue()
    assert "registered, but no members: unknown" in out.getvalue()
