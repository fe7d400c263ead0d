"""A recording of a real MariaDB node: read back by the dialect it has the same facts, apart from stand-ins."""

from __future__ import annotations

import pytest

from backend.core.dialects import dialect_to_watch
from backend.core.recording.folder import files_of
from backend.core.recording.redaction import Redaction
from backend.gateway.reader import Reader
from backend.gateway.recorder import read_answers
from deploy.lab.api import Lab
from tests.core.dialects.recorded import read
from tests.gateway.lab import access

pytestmark = pytest.mark.server


def test_recording__of_a_galera_node__same_facts_and_no_host(lab: Lab) -> None:
    there = access(lab, "db-b1")
    reader = Reader(there.ref, there.monitor)
    try:
        recorded = read_answers(reader)
    finally:
        reader.close()
    host, user = there.monitor.host, there.monitor.user
    files = files_of(recorded, Redaction(hosts=[host], users=[user]), {})
    back = {name: read(files[f"{name}.tsv"]) for name in recorded.answers}
    dialect = dialect_to_watch(recorded.flavor, recorded.version)
    (before,), (after,) = (dialect.parse_channels(one["channels"]) for one in (recorded.answers, back))
    assert (after.exec_offset, after.ignore_server_ids) == (before.exec_offset, before.ignore_server_ids)
    assert after.source_host.startswith("host-")
    wsrep, shown = (dialect.parse_wsrep(dialect.parse_pairs(one["status"])) for one in (recorded.answers, back))
    assert wsrep is not None
    assert shown is not None
    assert (shown.state_uuid, shown.last_committed, shown.state) == (wsrep.state_uuid, wsrep.last_committed, "Synced")
    variables, known = (dialect.parse_variables(one["variables"]) for one in (recorded.answers, back))
    assert known["repl.commit_order"] == variables["repl.commit_order"]
    assert known["gtid_binlog_state"] == variables["gtid_binlog_state"]
    assert back["binlog_events"][0]["Event_type"] == "Format_desc"
    written = "".join(files.values())
    passwords = [there.monitor.password, there.operator.password]
    assert not [word for word in (host, before.source_host, "db-b1", *passwords) if word in written]
