"""The authority of both clusters, and the client certificate of the monitor account, are replaced under load."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.galera.certificates import (
    Certificates,
    certificates_of,
    clusters,
    documented_calls,
    findings,
    require,
    set_tls,
    try_tls,
)
from tests.galera.console import Json
from tests.galera.rebuild import events_of
from tests.galera.scene import Scene
from tests.support.certificates import Made, authority
from tests.support.waiting import wait_for

NEW = authority("CA B")
LAST = "db-a3"


@pytest.fixture
def files(scene: Scene) -> Iterator[Certificates]:
    """The lab's certificates; its own are back afterwards, and no account requires one."""
    made = Certificates(scene)
    yield made
    require(scene, "monitor", "NONE")
    made.put_back()
    set_tls(scene, mode="verify_ca", ca=made.authority.cert, cert="")


@contextmanager
def every_poll_accepted(scene: Scene) -> Iterator[None]:
    """No node is seen but as up meanwhile, and no event says otherwise; each change of TLS makes all log in again."""
    seen: dict[str, int] = {}
    before, end = _refusals(scene), threading.Event()

    def follow() -> None:
        while not end.wait(0.2):
            for name in scene.nodes():
                observed = f"{name} {scene.reach(name)}"
                seen[observed] = seen.get(observed, 0) + 1

    looking = threading.Thread(target=follow, daemon=True)
    looking.start()
    try:
        yield
    finally:
        end.set()
        looking.join(10)
    assert min(seen.values()) >= 5, seen
    assert set(seen) == {f"{name} up" for name in scene.nodes()}, seen
    assert [one for one in _refusals(scene) if one not in before] == []


def _refusals(scene: Scene) -> list[Json]:
    kinds = ("node.refused", "node.down", "node.hung", "node.unknown")
    return [event for kind in kinds for event in events_of(scene, kind)]


def _client(by: Made) -> dict[str, str]:
    made = by.signs("hawser")
    return {"cert": made.cert, "private_key": made.key}


def _by_code(scene: Scene, code: str) -> list[Json]:
    return [one for one in findings(scene) if one["code"] == code]


def _polled_anew(scene: Scene) -> None:
    """Every session that the monitor account has is ended: the next poll of each node logs in again."""
    user = scene.stack.lab.accounts["monitor"].user
    for name in scene.nodes():
        for row in scene.sql(name, f"SELECT id FROM information_schema.processlist WHERE user='{user}'"):
            scene.sql(name, f"KILL {row['id']}")


def _rotate_client(scene: Scene, old: Made) -> None:
    """The account requires the old issuer; a certificate of the new one is stored once either is let in."""
    require(scene, "monitor", f"ISSUER '/CN={_name(old)}'")
    refused = try_tls(scene, **_client(NEW))
    assert {(one.status, one.body["code"]) for one in refused} == {(409, "trial_failed")}, refused
    assert "credentials refused for user hawser_monitor" in refused[0].body["detail"], refused[0]
    require(scene, "monitor", "X509")
    set_tls(scene, **_client(NEW))
    require(scene, "monitor", f"ISSUER '/CN={_name(NEW)}'")


def _name(made: Made) -> str:
    return str(made.certificate.subject.rfc4514_string().removeprefix("CN="))


def test_page__of_certificates__shows_the_calls_that_are_made_here() -> None:
    assert documented_calls() == {
        ("PATCH", "", frozenset({"mode", "ca"})),
        ("POST", "/check", frozenset()),
        ("PATCH", "", frozenset({"mode", "cert", "private_key"})),
        ("GET", "/certificates", frozenset()),
    }


def test_authority_and_client_certificate__replaced_under_load__every_poll_accepted(
    scene: Scene, files: Certificates
) -> None:
    old, before = files.authority, _serious(scene)
    with every_poll_accepted(scene):
        set_tls(scene, ca=old.cert, **_client(old))
        require(scene, "monitor", "X509")
        files.trust(old, NEW)
        set_tls(scene, ca=old.cert + NEW.cert)
        for name in [one for one in scene.nodes() if one != LAST]:
            files.show(name, NEW)
        rotation = {one["facts"]["node"]: one["severity"] for one in _by_code(scene, "authority_rotation")}
        assert rotation == {name: "warning" if name == LAST else "ok" for name in scene.nodes()}

        refused = try_tls(scene, ca=NEW.cert)
        assert [one.status for one in refused] == [409, 200], refused
        assert f"{LAST}: TLS refused: no trusted authority signed" in refused[0].body["detail"]
        files.show(LAST, NEW)
        assert len(_by_code(scene, "authority_replaced")) == 1
        set_tls(scene, ca=NEW.cert)
        _rotate_client(scene, old)
        files.trust(NEW)
        assert _serious(scene) <= before
        assert {one["tls"]["has_client_certificate"] for one in clusters(scene)} == {True}
        registered = [one["name"] for one in certificates_of(scene) if one["kind"] != "server"]
        assert {name.partition(" (")[0] for name in registered} == {"CN=CA B", "CN=hawser"}
        scene.look_again()
    link = scene.console.link()
    assert link["state"] == "protected", link["findings"]

    files.show(LAST, old)
    _polled_anew(scene)
    wait_for(lambda: scene.reach(LAST) == "refused", f"{LAST} to be refused")
    reported = events_of(scene, "node.refused")[0]["label"]
    assert LAST in reported
    assert "no trusted authority signed the server's certificate" in reported
    link = scene.wait_link(lambda now: any(one["code"] == "node_refused" for one in now["findings"]), "it")
    (finding,) = [one for one in link["findings"] if one["code"] == "node_refused"]
    assert finding["facts"]["node"] == LAST
    assert "FLUSH SSL" in finding["remedy"]
    files.show(LAST, NEW)
    wait_for(lambda: scene.reach(LAST) == "up", f"{LAST} to be accepted again")
    scene.judge()


def _serious(scene: Scene) -> set[str]:
    """Codes of what stops a plan or is unknown; a test before this one on the same lab may have left some."""
    return {one["code"] for one in findings(scene) if one["severity"] in ("blocker", "unknown")}
