"""Channels that prove themselves by a client certificate: kept by every move, and a file that is missing is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.galera.certificates import Certificates, require, set_tls
from tests.galera.console import describe, sentences
from tests.galera.scene import Scene
from tests.galera.sites import begin, site_lost_nothing_owed, switch
from tests.support.waiting import wait_for

FILES = {"Master_SSL_CA_File": "repl-ca.pem", "Master_SSL_Cert": "repl.pem", "Master_SSL_Key": "repl.key"}
"""Relative to the data folder: each node has files of its own, as on hosts of their own."""
WITH_CERTIFICATE = (
    "MASTER_SSL=1, MASTER_SSL_CA='repl-ca.pem', MASTER_SSL_CERT='repl.pem', MASTER_SSL_KEY='repl.key', "
    "MASTER_SSL_VERIFY_SERVER_CERT=1"
)
PLAIN = "MASTER_SSL=0, MASTER_SSL_CA='', MASTER_SSL_CERT='', MASTER_SSL_KEY='', MASTER_SSL_VERIFY_SERVER_CERT=0"


@pytest.fixture
def certified(scene: Scene) -> Iterator[Certificates]:
    """Both channels show a certificate, which their account requires; plain again afterwards."""
    begin(scene)
    made = Certificates(scene)
    mine = made.authority.signs("replication")
    for name in scene.nodes():
        folder = scene.stack.lab.paths.datadir(name)
        for file, text in zip(FILES.values(), (made.authority.cert, mine.cert, mine.key), strict=True):
            (folder / file).write_text(text)
    _set_channels(scene, WITH_CERTIFICATE)
    require(scene, "replication", "X509")
    shown = made.authority.signs("hawser")
    set_tls(scene, mode="verify_ca", cert=shown.cert, private_key=shown.key)
    yield made
    require(scene, "replication", "NONE")
    _set_channels(scene, PLAIN)
    set_tls(scene, mode="verify_ca", cert="")


def _set_channels(scene: Scene, tls: str) -> None:
    for name in scene.nodes():
        for channel in scene.channels_of(name):
            scene.stop_channel(name)
            scene.sql(name, f"CHANGE MASTER '{channel['Connection_name']}' TO {tls}")
            scene.start_channel(name)
    wait_for(lambda: _are_connected(scene), "both channels to be connected")


def _are_connected(scene: Scene) -> bool:
    found = [channel["Slave_IO_Running"] for name in scene.nodes() for channel in scene.channels_of(name)]
    return found == ["Yes", "Yes"]


def _files_of_channels(scene: Scene) -> list[dict[str, str]]:
    shown = [row for name in scene.nodes() for row in scene.sql(name, "SHOW ALL SLAVES STATUS")]
    return [{column: row[column] for column in FILES} for row in shown]


def _reconnected(scene: Scene) -> None:
    """The account is checked at a login: each channel must be let in again."""
    for name in scene.nodes():
        if scene.channels_of(name):
            scene.stop_channel(name)
            scene.start_channel(name)
    wait_for(lambda: _are_connected(scene), "both channels to be let in again")


def _onto_others(scene: Scene) -> dict[str, str]:
    source, replica = scene.pair_now()
    ids = scene.console.node_id
    return {"source_node": ids(scene.other(source)), "replica_node": ids(scene.other(replica))}


def test_channels__whose_account_requires_a_certificate__moved_and_switched_with_it(
    scene: Scene, certified: Certificates
) -> None:
    _reconnected(scene)
    plan = scene.console.plan("relocate", **_onto_others(scene))
    assert plan["state"] == "ready", sentences(plan)
    shown = str([step["sql"] for step in plan["steps"]])
    assert "MASTER_SSL_CERT='repl.pem', MASTER_SSL_KEY='repl.key'" in shown
    run = scene.console.run(plan)
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    assert _files_of_channels(scene) == [FILES, FILES]
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be protected")
    switch(scene, "switchover", allow_long_transactions=True)
    assert _files_of_channels(scene) == [FILES, FILES]
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be protected the other way round")
    scene.judge()


@pytest.mark.whole
def test_site__lost_and_brought_home__its_channels_show_the_certificate_again(
    scene: Scene, certified: Certificates
) -> None:
    site_lost_nothing_owed(scene)
    assert _files_of_channels(scene) == [FILES, FILES]
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be protected")


@pytest.mark.whole
def test_relocate__file_missing_on_the_new_replica__named_before_and_after_and_resumed(
    scene: Scene, certified: Certificates
) -> None:
    plan = scene.console.plan("relocate", **_onto_others(scene))
    replica = plan["target"]["replica_name"]
    warnings = [one for one in plan["findings"] if one["code"] == "channel_files_unseen" and replica in one["message"]]
    assert [one["facts"]["files"] for one in warnings] == [list(FILES.values())]
    file = scene.stack.lab.paths.datadir(replica) / FILES["Master_SSL_Cert"]
    away = file.rename(file.with_suffix(".away"))
    run = scene.console.run(plan)
    assert run["state"] == "needs_operator", describe(run)
    assert f"Check that the server of {replica} can read repl-ca.pem, repl.pem, repl.key" in run["outcome"], run
    away.rename(file)
    resumed = scene.console.call("POST", f"/runs/{run['id']}/resume", {"comment": "the file is there"})
    assert resumed.status == 200, resumed
    run = scene.console.wait_run(run["id"])
    assert run["state"] == "succeeded", describe(run)
    assert run["verification"]["verdict"] == "verified", run["verification"]
    scene.wait_link(lambda link: link["state"] == "protected", "the link to be protected")
    scene.judge()
