"""The lab on a server of MySQL's families, as far as a real server can try it here.

There is no Percona XtraDB Cluster on this machine. A real MySQL 9 stands in for it, without Galera and with one node a
site: all but replication inside a cluster is real.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.lab import cluster
from deploy.lab.api import Lab
from deploy.lab.cluster import LabContext
from deploy.lab.errors import LabError
from deploy.lab.layout import Node, Settings
from deploy.lab.load.control import Order, acknowledged
from deploy.lab.mysql.channels import change_source
from deploy.lab.mysql.options import cluster_options, require_possible
from deploy.lab.rebuild import rebuild
from deploy.lab.server import accounts, tls
from deploy.lab.server.accounts import Account
from deploy.lab.server.coordinate import Coordinate
from deploy.lab.server.statements import forms_of_version
from deploy.lab.verify import convergence
from deploy.servers import store
from deploy.servers.errors import ServerError
from deploy.servers.family import Family
from deploy.servers.server import Server
from deploy.services.net import free_net
from tests.servers.trees import stand_in
from tests.support.waiting import wait_for

NAME = "stand-in"


@pytest.fixture(scope="module")
def mysql() -> Server:
    """The real release, as it was fetched."""
    try:
        return store.ready("mysql-9")
    except ServerError as error:
        pytest.skip(str(error))


@pytest.fixture
def lab(tmp_path: Path, mysql: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """A lab that nothing was done with; the release is the stand-in, whose nodes need no cluster to be Synced."""
    stand_in(tmp_path / "servers" / NAME, mysql)
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path / "servers"))
    monkeypatch.setattr(cluster, "synced_status", lambda _status: True)
    monkeypatch.setattr(convergence, "synced_status", lambda _status: True)
    monkeypatch.setattr(cluster, "bootstrap", cluster.launch)
    made = Lab(tmp_path / "lab", free_net())
    try:
        yield made
    finally:
        made.down()


def settings(variant: str = "classic") -> Settings:
    """One node a site, of the stand-in."""
    return Settings(variant, sizes=(1, 1), servers=(NAME, NAME))


@pytest.mark.parametrize("variant", ["classic", "gtid"])
def test_options__all_but_those_of_galera__taken_by_a_real_server(lab: Lab, variant: str) -> None:
    for folder in lab.paths.folders():
        folder.mkdir(parents=True)
    node = Node("db-a1", "a", 1, "127.0.1.1", 11, 1)
    tls.ensure(lab.paths.tls, [node])
    ground = LabContext(settings(variant), lab.paths, [node], accounts.create()["admin"])
    ground.write_config(node)
    text = lab.paths.config(node.name).read_text()
    assert {"wsrep_sst_method = clone", "pxc_encrypt_cluster_traffic = OFF"} <= set(text.splitlines())
    done = subprocess.run(ground.command(node, "--validate-config"), check=False, capture_output=True, text=True)
    output = done.stderr + (lab.paths.log(node.name).read_text() if lab.paths.log(node.name).exists() else "")
    assert (done.returncode, "[ERROR]" in output) == (0, False), output


@pytest.mark.parametrize(
    ("families", "variant", "sentence"),
    [
        ((Family.MARIADB, Family.PXC), "classic", "between MariaDB and Percona XtraDB Cluster is not supported"),
        ((Family.PXC,), "aligned", "aligned needs a server_id of the session"),
    ],
)
def test_lab__what_these_servers_cannot_form__refused(
    families: tuple[Family, ...], variant: str, sentence: str
) -> None:
    servers = [Server("x", Path("/x"), None, None, family=family) for family in families]
    with pytest.raises(LabError, match=sentence):
        require_possible(Settings(variant), servers)


def test_rebuild__of_mysql__refused_before_anything(lab: Lab) -> None:
    node = Node("db-a1", "a", 1, "127.0.1.1", 11, 1)
    ground = LabContext(settings(), lab.paths, [node], Account("someone", "word"))
    with pytest.raises(LabError, match=r"db-a1 runs Percona XtraDB Cluster 8\.4\.8\. A rebuild copies MariaDB only"):
        rebuild(ground, "b", node)
    assert not lab.paths.home.exists()


def test_lab__mysql_without_galera__refused_before_anything(
    mysql: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ensure", lambda _name, _say: mysql)
    lab = Lab(tmp_path / "lab", "127.173")
    with pytest.raises(ServerError, match=r"mysql-9 cannot be a node .* MySQL 9[.\d]+ is MySQL without Galera"):
        lab.up(Settings(servers=("mysql-9", "mysql-9")))
    assert not lab.paths.home.exists()


@pytest.mark.parametrize(
    ("version", "log_end", "replica"),
    [
        ("5.5.5-10.11.19-MariaDB-log", "SHOW MASTER STATUS", "SLAVE"),
        ("8.0.36-28.1", "SHOW MASTER STATUS", "REPLICA"),
        ("8.4.8-8.1", "SHOW BINARY LOG STATUS", "REPLICA"),
        ("9.7.4-2", "SHOW BINARY LOG STATUS", "REPLICA"),
    ],
)
def test_statements__by_the_version__as_the_family_and_series_have_them(
    version: str, log_end: str, replica: str
) -> None:
    assert (forms_of_version(version).log_end, forms_of_version(version).replica) == (log_end, replica)


@pytest.mark.parametrize(
    ("family", "transfer", "has_auth", "has_pxc"),
    [(Family.PXC, "xtrabackup-v2", False, True), (Family.MYSQL_WSREP, "xtrabackup-v2", True, False),
     (Family.MYSQL_WSREP, "clone", False, False)],
)  # fmt: skip
def test_options__state_transfer_and_strict_mode__as_the_family_knows_them(
    family: Family, transfer: str, has_auth: bool, has_pxc: bool
) -> None:
    server = Server("x", Path("/x"), None, Path("/g.so"), family=family, transfer=transfer)
    found = cluster_options(Settings(), server, Path("/d"), Account("someone", "word"))
    assert ("wsrep_sst_auth" in found, "pxc_strict_mode" in found) == (has_auth, has_pxc)
    assert (found["wsrep_sst_method"], found["gtid_mode"]) == (transfer, "OFF")


def test_change_source__by_position_and_by_gtid__loops_are_kept_out_either_way() -> None:
    node, account, ca = Node("db-a1", "a", 1, "127.0.1.1", 11, 1), Account("r", "word"), Path("/ca.pem")
    by_position = change_source(node, account, ca, Coordinate("binlog.000002", 158), [22, 21])
    assert "SOURCE_LOG_FILE='binlog.000002', SOURCE_LOG_POS=158, IGNORE_SERVER_IDS=(21,22)" in by_position
    assert by_position.endswith("FOR CHANNEL ''")
    by_gtid = change_source(node, account, ca, None, [22, 21])
    assert "SOURCE_AUTO_POSITION=1" in by_gtid
    assert "IGNORE_SERVER_IDS" not in by_gtid, "MySQL refuses it with gtid_mode=ON (3139)"


@pytest.mark.server
@pytest.mark.whole
@pytest.mark.parametrize("variant", ["classic", "gtid"])
def test_lab__two_sites_linked_both_ways__every_write_once_and_its_channels_known(lab: Lab, variant: str) -> None:
    lab.up(settings(variant))
    lab.load_start(Order(writers=1, rate=10.0, ddl_every=3.0, seconds=60))
    wait_for(lambda: all(acknowledged(lab.paths, site) > 30 for site in "ab"), "writes of both sites")
    verdict = lab.verify(seconds=30)
    assert verdict.clean, verdict
    assert verdict.acknowledged > 50
    assert set(verdict.acknowledged_by_site) == {"a", "b"}
    for status in lab.status():
        (channel,) = status.channels or []
        assert (channel["Slave_IO_Running"], channel["Slave_SQL_Running"]) == ("Yes", "Yes"), channel
        assert channel["Using_Gtid"] == ("No" if variant == "classic" else "Auto_Position"), channel
        assert status.binlog_file is not None
    lab.load_stop()
    lab.forget_writes()
    lab.unlink()
    assert [status.channels for status in lab.status()] == [[], []]
