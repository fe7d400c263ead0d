"""A recording of a real MySQL: read back by the dialect it has the same facts, apart from stand-ins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.dialects import dialect_to_watch
from backend.core.recording.folder import Recorded, files_of
from backend.core.recording.redaction import Redaction
from backend.gateway.reader import Reader
from backend.gateway.recorder import read_answers
from deploy.lab.mysql.pair import Pair
from tests.core.dialects.recorded import read
from tests.mysql.pair import access

pytestmark = pytest.mark.server


def _recorded(pair: Pair) -> Recorded:
    found = access(pair, pair.replica)
    reader = Reader(found.ref, found.monitor)
    try:
        return read_answers(reader)
    finally:
        reader.close()


def test_recording__of_the_replica__same_facts_with_stand_ins(pair: Pair) -> None:
    pair.catch_up()
    recorded = _recorded(pair)
    assert not recorded.refused
    host, user = pair.source.node.host, pair.accounts["monitor"].user
    files = files_of(recorded, Redaction(hosts=[host], users=[user]), {})
    back = {name: read(files[f"{name}.tsv"]) for name in recorded.answers}
    dialect = dialect_to_watch(recorded.flavor, recorded.version)
    (before,) = dialect.parse_channels(recorded.answers["channels"], recorded.answers["channel_settings"])
    (after,) = dialect.parse_channels(back["channels"], back["channel_settings"])
    stand_ins = {
        name: getattr(after, name)
        for name in ("name", "source_host", "source_user", "read_file", "relay_file", "exec_file", "options")
    }
    assert replace(before, **stand_ins) == after
    assert (after.source_host, after.name) == ("host-1", "channel-1")
    end, shown = (dialect.parse_binlog(one["binlog_end"], one["binlog_files"]) for one in (recorded.answers, back))
    assert end is not None
    assert shown is not None
    assert (shown.offset, [size for _, size in shown.files]) == (end.offset, [size for _, size in end.files])
    assert shown.file == back["binlog_events"][0]["Log_name"] == shown.files[-1][0]
    assert dialect.parse_wsrep(dialect.parse_pairs(back["status"])) is None
    written = "".join(files.values())
    accounts = pair.accounts.values()
    assert not [account.user for account in accounts if f"\t{account.user}\t" in written]
    assert not [word for word in (host, *(account.password for account in accounts)) if word in written]
