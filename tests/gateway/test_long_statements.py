"""Logs that quote statements of megabytes: neither the node's commits nor the console's memory pays for them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict

import pytest

from backend.core.positions import FilePosition
from backend.gateway.connection.session import LONG_TEXT_BYTES, Session
from deploy.lab.api import Lab
from tests.gateway.lab import endpoint
from tests.gateway.orphan_statements import end_of_log
from tests.support.waiting import wait_for

pytestmark = pytest.mark.server
STATEMENTS, BYTES = 60, 1_000_000
DEFAULT_SENDING_S = 60
MEMORY_BYTES = 40_000_000
READ_ALL = """
import json, resource, sys
from backend.core.dialects import dialect_for
from backend.core.binlog.events import Cursor
from backend.core.binlog.logs import BinaryLog
from backend.core.positions import FilePosition
from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeEndpoint
from backend.gateway.reader import Reader
host, port, user, password, file, offset, memory = json.loads(sys.argv[1])
reader = Reader(NodeRef("n", "n", host, port, "c"), NodeEndpoint(host, port, user, password))
reader.query("SELECT 1")
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + memory,) * 2)
events = list(Cursor(BinaryLog(reader, dialect_for('mariadb', '10.11.19'))).events_from(FilePosition(file, offset)))
print(sum(event.type == "Annotate_rows" for event in events))
"""


@pytest.fixture(scope="module")
def long_statements(lab: Lab) -> Iterator[FilePosition]:
    """Where the log of db-a1 begins to quote them."""
    with lab.admin("db-a1", 60) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE bank.texts (id INT AUTO_INCREMENT PRIMARY KEY, body LONGTEXT NOT NULL)")
        position = end_of_log(lab, "db-a1")
        for number in range(STATEMENTS):
            cursor.execute(f"INSERT INTO bank.texts (body) VALUES ('{number}{'x' * BYTES}')")
            connection.commit()
        yield position
        cursor.execute("DROP TABLE bank.texts")


def test_page__its_reader_stopped_reading__commits_of_the_node_wait_for_seconds_not_for_a_minute(
    lab: Lab, long_statements: FilePosition
) -> None:
    """The server sends a page with its log locked."""
    session = Session("db-a1", endpoint(lab, "db-a1", "monitor"), read_only=True)
    session.open()
    at = f"IN '{long_statements.file}' FROM {long_statements.offset}"
    limit_s = session.run("SELECT @@SESSION.net_write_timeout AS s")[0]["s"]
    session._connection.send_query(f"SHOW BINLOG EVENTS {at} LIMIT 2000".encode())  # and not read

    def is_sent_a_page() -> bool:
        showing = f"SELECT 1 FROM information_schema.PROCESSLIST WHERE ID={session.connection_id} AND INFO LIKE 'SHOW%'"
        return bool(lab.sql("db-a1", showing))

    wait_for(is_sent_a_page, "the server to send the page", 20, 0.05)
    with lab.admin("db-a1", DEFAULT_SENDING_S // 2) as connection:
        connection.cursor().execute("INSERT INTO bank.texts (body) VALUES ('short')")
        connection.commit()
    wait_for(lambda: not is_sent_a_page(), "the reader's end, before which the commit cannot have been", limit_s / 3)
    session.close()
    assert limit_s < DEFAULT_SENDING_S / 2


def test_page__of_long_statements__their_beginnings_and_digests_are_kept(
    lab: Lab, long_statements: FilePosition
) -> None:
    session = Session("db-a1", endpoint(lab, "db-a1", "monitor"), read_only=True)
    rows = session.run_raw(f"SHOW BINLOG EVENTS IN '{long_statements.file}' FROM {long_statements.offset} LIMIT 2000")
    session.close()
    quoted = [row[5] for row in rows if row[2] == b"Annotate_rows"]
    assert len(set(quoted)) == len(quoted) > STATEMENTS // 4, "a file of the log holds some thirty"
    assert all(text.startswith(b"INSERT INTO bank.texts") for text in quoted)
    assert max(map(len, quoted)) < LONG_TEXT_BYTES + 200


def test_log__of_long_statements__read_within_little_memory(lab: Lab, long_statements: FilePosition) -> None:
    """The process may take less than a page of them would."""
    login = asdict(endpoint(lab, "db-a1", "monitor"))
    arguments = [
        login["host"],
        login["port"],
        login["user"],
        login["password"],
        long_statements.file,
        long_statements.offset,
    ]
    asked = [sys.executable, "-c", READ_ALL, json.dumps([*arguments, MEMORY_BYTES])]
    answer = subprocess.run(asked, capture_output=True, text=True, timeout=300, check=False)
    assert answer.returncode == 0, answer.stderr[-2000:]
    assert int(answer.stdout) >= STATEMENTS
