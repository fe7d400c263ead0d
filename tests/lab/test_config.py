"""Names, addresses and server configuration of the lab."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.lab.channels import change_master
from deploy.lab.layout import Paths, Settings, nodes_of
from deploy.lab.server.accounts import Account
from deploy.lab.server.config import node_options
from deploy.lab.server.coordinate import Coordinate
from deploy.lab.server.grants import GRANTS
from deploy.servers.server import Server

SECRET = Account("someone", "word")
SERVER = Server("mariadb-11.8", Path("/s/mariadbd"), Path("/s/install"), Path("/s/galera.so"), {"plugin_dir": "/s/p"})


def options(settings: Settings, name: str) -> dict[str, str]:
    nodes = nodes_of(settings)
    (node,) = [one for one in nodes if one.name == name]
    members = [one for one in nodes if one.site == node.site]
    return node_options(settings, Paths(Path("/lab")), node, members, "me", SECRET, SERVER)


def statement(settings: Settings) -> str:
    nodes = nodes_of(settings)
    own = [one for one in nodes if one.site == "b"]
    return change_master(settings, nodes[0], Coordinate("binlog.000001", 325), own, SECRET, Path("/lab/ca.pem"))


def test_nodes__classic__names_addresses_and_distinct_ids() -> None:
    nodes = nodes_of(Settings())
    assert [node.name for node in nodes] == ["db-a1", "db-a2", "db-a3", "db-b1", "db-b2", "db-b3"]
    assert [node.host for node in nodes][2:4] == ["127.0.1.3", "127.0.2.1"]
    assert [node.server_id for node in nodes] == [11, 12, 13, 21, 22, 23]


def test_nodes__shared_id__one_id_a_cluster() -> None:
    for variant in ("shared-id", "gtid"):
        assert [node.server_id for node in nodes_of(Settings(variant))] == [10, 10, 10, 20, 20, 20]


def test_nodes__any_sizes__auto_increment_never_overlaps() -> None:
    settings = Settings(sizes=(2, 4))
    offsets = [node.auto_increment_offset for node in nodes_of(settings)]
    assert len(set(offsets)) == 6
    assert options(settings, "db-b4")["auto_increment_increment"] == "6"
    assert max(offsets) <= 6


@pytest.mark.parametrize("variant", ["classic", "shared-id", "gtid", "aligned"])
def test_options__every_variant__durability_is_full(variant: str) -> None:
    found = options(Settings(variant), "db-a2")
    assert found["innodb_flush_log_at_trx_commit"] == "1"
    assert found["sync_binlog"] == "1"
    assert (found["wsrep_gtid_mode"] == "ON") == (variant == "gtid")


def test_options__tmpdir__no_two_servers_share_one() -> None:
    """One that starts deletes the temporary tables it finds there: seen as ERROR 1051 with several labs at once."""
    folders = {options(Settings(), f"db-{site}{i}")["tmpdir"] for site in "ab" for i in (1, 2, 3)}
    assert len(folders) == 6
    assert all(folder.startswith("/lab/tmp/") for folder in folders)


def test_change_master__classic__own_ids_ignored_and_position_given() -> None:
    sql = statement(Settings())
    assert "IGNORE_SERVER_IDS=(21,22,23)" in sql
    assert "MASTER_LOG_FILE='binlog.000001', MASTER_LOG_POS=325, MASTER_USE_GTID=no" in sql


def test_change_master__tls__said_whether_on_or_off() -> None:
    """Releases since 11.4 take an unsaid option for on."""
    assert "MASTER_SSL=0, MASTER_SSL_VERIFY_SERVER_CERT=0" in statement(Settings())
    verified = "MASTER_SSL=1, MASTER_SSL_CA='/lab/ca.pem', MASTER_SSL_VERIFY_SERVER_CERT=1"
    assert verified in statement(Settings(channel_tls=True))


def test_change_master__shared_id__one_id_ignored() -> None:
    assert "IGNORE_SERVER_IDS=(20)" in statement(Settings("shared-id"))


def test_change_master__gtid__no_coordinates() -> None:
    sql = statement(Settings("gtid"))
    assert "MASTER_USE_GTID=slave_pos" in sql
    assert "MASTER_LOG_FILE" not in sql
    assert "IGNORE_SERVER_IDS=(20)" in sql


def test_grants__console_accounts__no_super_and_business_data_only_for_replay_and_undo() -> None:
    text = " ".join(GRANTS["monitor"] + GRANTS["operator"])
    assert "SUPER" not in text
    assert "ALL PRIVILEGES" not in text
    on_bank = [grant for grant in GRANTS["monitor"] + GRANTS["operator"] if "`bank`" in grant]
    # Replay and undo of orphans compare and change rows; triggers are only visible to who might make them.
    assert on_bank == ["GRANT SELECT, INSERT, UPDATE, DELETE, TRIGGER ON `bank`.* TO {account}"]
    assert on_bank[0] in GRANTS["operator"]


def test_one_cluster__with_segments__one_name_and_a_segment_for_each_site() -> None:
    settings = Settings(one_cluster=True, segments=True)
    near, far = options(settings, "db-a1"), options(settings, "db-b1")
    assert near["wsrep_cluster_name"] == far["wsrep_cluster_name"] == "milan"
    assert "gmcast.segment=0;" in near["wsrep_provider_options"]
    assert "gmcast.segment=1;" in far["wsrep_provider_options"]
    assert "evs.suspect_timeout=PT15S" in far["wsrep_provider_options"]
    assert "gmcast.segment" not in options(Settings(), "db-a1")["wsrep_provider_options"]
