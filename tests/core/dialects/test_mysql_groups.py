"""Groups in MySQL's logs: the same transactions on a source and on its replica, as recorded from two servers."""

from __future__ import annotations

import itertools
import re

import pytest

from backend.core.binlog.content import are_same, is_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import Group, UnknownEventError, groups_from, read_groups
from backend.core.binlog.logs import BinaryLog
from backend.core.binlog.window import whole_groups
from backend.core.dialects.mysql import MysqlDialect
from backend.core.gtid_sets import MysqlGtid, MysqlGtidSet
from backend.core.positions import FilePosition
from tests.core.dialects.recorded import events, rows

SERVER = "mysql-9.7.4"
FORMS = MysqlDialect((9, 7)).events


def groups(answer: str) -> list[Group]:
    """All groups of a recorded log."""
    return list(read_groups(events(SERVER, answer), forms=FORMS))


def test_groups__source_and_replica__same_gtids_and_contents_in_order() -> None:
    source, replica = groups("source_binlog"), groups("replica_binlog")
    assert [one.gtid_text for one in source] == [one.gtid_text for one in replica]
    assert len(source) == 20
    assert are_same([one.content for one in source], [one.content for one in replica])
    logged = MysqlGtidSet.parse(",".join(one.gtid_text for one in source))
    assert str(logged).endswith(":1-19,57e801c0-e9a7-11f1-a3b8-02fc00000001:blue:1")


def test_groups__neighbours__only_a_compressed_one_cannot_be_told_from_one_like_it() -> None:
    """Its rows are shown without sizes."""
    found = groups("source_binlog")
    same = [
        (one.gtid_text, other.gtid_text)
        for one, other in itertools.pairwise(found)
        if is_same(one.content, other.content)
    ]
    assert [(one[-2:], other[-2:]) for one, other in same] == [(":6", ":7")]


def test_group__compressed__begins_and_ends_at_its_boundaries() -> None:
    source = groups("source_binlog")
    (payload,) = (one for one in source if one.gtid_text.endswith(":7"))
    assert (payload.start, payload.end, payload.kind, payload.verbs) == (1655, 1913, "dml", ("insert",))
    assert [one.start for one in source[1:]][:17] == [one.end for one in source][:17]


@pytest.mark.parametrize(
    ("number", "kind", "statement"),
    [
        (4, "ddl", "create table bank.t(id int primary key, v varchar(20))"),
        (11, "ddl", "XA COMMIT X'7831',X'',1"),
        (13, "ddl", "use `bank`; create table m(id int) engine=MyISAM"),
        (14, "other", None),
        (16, "ddl", "use `bank`; alter table t add column n int"),
    ],
)
def test_group__statement__as_written_without_the_number_of_its_server(
    number: int, kind: str, statement: str | None
) -> None:
    (found,) = (one for one in groups("source_binlog") if one.gtid_text.endswith(f":{number}"))
    assert (found.kind, found.statement) == (kind, statement)


def test_group__plain_server__its_xid_is_not_taken_for_a_number_of_a_cluster() -> None:
    assert {one.xid for one in groups("source_binlog")} == {None}
    clustered = list(read_groups(events(SERVER, "source_binlog"), forms=MysqlDialect((8, 0), "pxc").events))
    assert {12, 52, 88} <= {one.xid for one in clustered}


def test_summary__account__without_its_password() -> None:
    (created,) = (one for one in groups("source_binlog") if one.gtid_text.endswith(":18"))
    assert "hhh" not in created.summary
    assert "hhh" not in str(created.to_json())


def test_groups__event_of_another_family__named() -> None:
    source = events(SERVER, "source_binlog")
    with pytest.raises(UnknownEventError, match="Annotate_rows"):
        list(read_groups([source[2], source[3]._replace(type="Annotate_rows")], forms=FORMS))


def test_gtid_of_a_group__is_in_the_set_that_the_server_shows() -> None:
    executed = MysqlGtidSet.parse("57e801c0-e9a7-11f1-a3b8-02fc00000001:1-19:blue:1")
    assert all(executed.holds(MysqlGtid.parse(one.gtid_text)) for one in groups("replica_binlog"))


class _Server:
    """Answers SHOW BINLOG EVENTS from the recorded rows: FROM begins at the first event of that place."""

    def __init__(self) -> None:
        self._rows = [row for row in rows(SERVER, "source_binlog") if row["Log_name"] == "binlog.000001"]

    def query(self, sql: str, **_: object) -> list[dict[str, object]]:
        if sql == "SHOW BINARY LOGS":
            return [{"Log_name": "binlog.000001", "File_size": 5714}]
        found = re.search(r"FROM (\d+) LIMIT (?:(\d+),)?(\d+)$", sql)
        assert found is not None, sql
        start, skip, limit = int(found[1]), int(found[2] or 0), int(found[3])
        begins = (
            i for i, row in enumerate(self._rows) if row["Pos"] != row["End_log_pos"] and int(str(row["Pos"])) >= start
        )
        first = next(begins, len(self._rows))
        chosen = self._rows[first + skip : first + skip + limit]
        return [
            {**row, **{name: int(str(row[name])) for name in ("Pos", "Server_id", "End_log_pos")}} for row in chosen
        ]


@pytest.mark.parametrize("page_rows", range(1, 14))
def test_groups__page_ends_inside_a_compressed_transaction__none_is_lost(page_rows: int) -> None:
    log = BinaryLog(_Server(), MysqlDialect((9, 7)))  # type: ignore[arg-type]
    found = list(groups_from(Cursor(log), FilePosition("binlog.000001", 4), page_rows=page_rows))
    assert [one.gtid_text for one in found] == [one.gtid_text for one in groups("source_binlog")[:-1]]


def test_whole_groups__begun_inside_a_group__the_next_one_is_found_by_each_kind_of_gtid() -> None:
    log = BinaryLog(_Server(), MysqlDialect((9, 7)))  # type: ignore[arg-type]
    xid_before_the_tagged_one = FilePosition("binlog.000001", 2639)
    first = next(read_groups(whole_groups(Cursor(log), xid_before_the_tagged_one), forms=FORMS))
    assert first.gtid_text.endswith(":blue:1")
