"""Binary and relay logs encrypted on disk: everything is read through the server, which decrypts; no file is opened."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import read_groups
from backend.core.binlog.logs import BinaryLog, RelayLog
from backend.core.binlog.search import find_xid
from backend.core.dialects import dialect_for
from backend.core.positions import FilePosition
from backend.transactions.orphans.selectors import orphan_list
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.services.net import free_net
from tests.fakes.driver import Memory
from tests.gateway.orphan_link import TABLES, DivergedSites, testbed
from tests.gateway.orphan_statements import contents

__all__ = ["testbed"]
pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]

MARIADB = dialect_for("mariadb", "10.11.19")


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    """As its neighbours' lab, with a key file and every binary and relay log encrypted."""
    home = Path(tempfile.mkdtemp(prefix="hawser-enc-"))
    keys = home / "keys.txt"
    keys.write_text(f"1;{secrets.token_hex(32)}\n")
    made = Lab(home / "lab", free_net())
    overrides = {
        "plugin_load_add": "file_key_management",
        "file_key_management_filename": str(keys),
        "encrypt_binlog": "ON",
    }
    try:
        made.up(Settings(net=made.net, sizes=(2, 1), overrides=overrides))
        yield made
    finally:
        if made.exists:
            made.down()
        shutil.rmtree(home, ignore_errors=True)


def test_logs__encrypted__nothing_to_read_on_disk_and_everything_through_the_server(testbed: DivergedSites) -> None:
    """Pages of the binlog, skips over it, and the relay log's copy name the same groups; the files are noise."""
    lab = testbed.lab
    assert {row["Value"] for row in lab.sql("db-a1", "SHOW GLOBAL VARIABLES LIKE 'encrypt_binlog'")} == {"ON"}
    for node, log in (("db-a1", "binlog"), ("db-b1", "binlog"), ("db-b1", "relay")):
        files = list(lab.paths.datadir(node).glob(f"{log}.0*"))
        assert files
        assert not [file for file in files if b"transfers" in file.read_bytes()]

    cursor = Cursor(BinaryLog(testbed.gateway.reader("db-a1"), MARIADB))
    oldest = cursor.files()[0][0]
    groups = list(read_groups(cursor.events_from(FilePosition(oldest, 4))))
    numbered = [group for group in groups if group.xid is not None]
    assert len(numbered) > 10
    for group in (numbered[0], numbered[-1]):
        assert group.xid is not None
        found, _ = find_xid(cursor, group.xid, None)
        assert found is not None
        assert found.end_position == group.end_position

    (channel,) = [row for row in lab.sql("db-b1", "SHOW ALL SLAVES STATUS") if row["Master_Host"]]
    relay = Cursor(RelayLog(testbed.gateway.reader("db-b1"), MARIADB, ""))
    received = [group.xid for group in read_groups(relay.events_from(FilePosition(channel["Relay_Log_File"], 4)))]
    assert set(filter(None, received))
    assert set(filter(None, received)) <= {group.xid for group in numbered}


def test_orphans__in_an_encrypted_log__found_with_their_rows_and_undone(testbed: DivergedSites) -> None:
    """The dump stream carries the rows decrypted; without the orphans both sides are equal."""
    report = testbed.report("undo")
    assert (report.state, report.transactions, report.rows) == ("found", 5, 7)
    memory = Memory(testbed.plan(report, "undo_orphans"))
    testbed.walk(memory, orphans=orphan_list(report.scan_id))
    assert memory.ended.state == "succeeded", memory.failures
    assert contents(testbed.lab, "db-a1", TABLES) == contents(testbed.lab, "db-b1", TABLES)
