"""The search of one log against a naive model of it: same matches, same neighbours, nothing missed over many pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.lookup.matching import OVERTAKING_GROUPS
from backend.core.lookup.model import (
    LOGGED_WITHIN_S,
    Criteria,
    LookupLimits,
    Match,
    Neighbour,
    NodeAnswer,
    NodeState,
    Stop,
)
from backend.core.lookup.search import NodeQuestion, search_node
from backend.core.positions import FilePosition, MariadbGtid
from backend.core.topology import NodeRef
from tests.core.builders.examples import examples
from tests.fakes.dumped_log import FakeDumpedLog, Stood, Written

NODE = NodeRef("n_a1", "a1", "127.0.0.1", 3306, "c_a")
SLACK_S = 300


def no_time() -> float:
    return 0.0


def ask(
    log: FakeDumpedLog,
    criteria: Criteria,
    limits: LookupLimits | None = None,
    resume: FilePosition | None = None,
) -> NodeAnswer:
    return search_node(log, NODE, NodeQuestion(criteria, limits or LookupLimits(), SLACK_S, resume), no_time)


def ends(answer: NodeAnswer) -> list[FilePosition]:
    return [match.found.group.end_position for match in answer.matches]


@st.composite
def logs(draw: st.DrawFn) -> FakeDumpedLog:
    """Some files of transactions of few origins, tables and texts, so that criteria meet; Xids rise, times mostly."""
    log = FakeDumpedLog(began_s=1_000)
    now, xid = 1_000, 0
    for seq_no in range(draw(st.integers(0, 14))):
        now += draw(st.integers(0, 400))
        if draw(st.integers(0, 4)) == 0:
            log.rotate(now)
        xid += draw(st.integers(1, 2))
        late = draw(st.sampled_from([0, 0, 0, 250]))
        is_statement = draw(st.integers(0, 5)) == 0
        log.write(
            Written(
                server_id=draw(st.sampled_from([11, 12, 21])),
                at_s=max(0, now - late),
                seq_no=seq_no,
                xid=None if is_statement else xid,
                table=draw(st.sampled_from(["shop.orders", "shop.lines"])),
                text=draw(st.sampled_from([None, "UPDATE orders", "insert  into lines"])),
                rows=draw(st.integers(1, 3)),
                statement="ALTER TABLE orders ADD x INT" if is_statement else None,
            )
        )
    return log


@st.composite
def questions(draw: st.DrawFn, log: FakeDumpedLog) -> Criteria:
    """One to three criteria, mostly of a transaction that exists."""
    stood = draw(st.sampled_from(log.order)) if log.order else None
    one = stood.written if stood else Written(11, 1_000, 0, xid=1)
    since = one.at_s - draw(st.integers(0, 300))
    every = {
        "xid": one.xid,
        "gtid": MariadbGtid(0, one.server_id, one.seq_no),
        "position": stood.end if stood else log.end,
        "server_id": one.server_id,
        "since_s": since,
        "until_s": one.at_s + draw(st.integers(0, 300)),
        "text": draw(st.sampled_from(["orders", "Insert into", "nowhere"])),
        "table": draw(st.sampled_from(["shop.orders", "SHOP.lines"])),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(every)), min_size=1, max_size=3, unique=True))
    return Criteria(**{name: every[name] for name in chosen})


def is_meant(criteria: Criteria, stood: Stood) -> bool:
    """The naive model of each criterion."""
    one = stood.written
    texts = [one.statement] if one.statement else [one.text or ""]
    tables = {"shop.orders"} if one.statement else {one.table}
    return all((
        criteria.xid is None or one.xid == criteria.xid,
        criteria.gtid is None or (one.server_id, one.seq_no) == (criteria.gtid.server_id, criteria.gtid.seq_no),
        criteria.position is None or criteria.position in (stood.begin, stood.end),
        criteria.server_id in (None, one.server_id),
        criteria.since_s is None or one.at_s >= criteria.since_s,
        criteria.until_s is None or one.at_s <= criteria.until_s,
        not criteria.text or any(criteria.text.lower() in " ".join(text.split()).lower() for text in texts),
        not criteria.table or criteria.table.lower() in tables,
    ))  # fmt: skip


@given(st.data())
@examples(60)
def test_search__any_log_and_criteria__as_the_naive_model_page_by_page(data: st.DataObject) -> None:
    log = data.draw(logs())
    criteria = data.draw(questions(log))
    limits = LookupLimits(bytes=data.draw(st.integers(1, 3_000)), matches=data.draw(st.integers(1, 4)))
    expected = [stood.end for stood in log.order if is_meant(criteria, stood)]
    found: list[FilePosition] = []
    resume = None
    for _ in range(len(log.order) + 2):
        answer = ask(log, criteria, limits, resume)
        found += ends(answer)
        for match in answer.matches:
            check_neighbours(log, match)
        if answer.scan is None or not answer.scan.stop.is_limit:
            break
        resume = answer.scan.end
    else:
        pytest.fail("the search does not advance")
    assert found == expected
    if not expected:
        assert answer.state is not NodeState.FOUND


def check_neighbours(log: FakeDumpedLog, match: Match) -> None:
    """What was read next to it stands next to it; what is said to be the log's end is."""
    at = [stood.end for stood in log.order].index(match.found.group.end_position)
    if match.before_is is Neighbour.GROUP and match.before:
        assert match.before.group.end_position == log.order[at - 1].end
    if match.after_is is Neighbour.GROUP and match.after:
        assert match.after.group.end_position == log.order[at + 1].end
    assert match.after_is is not Neighbour.LOG_END or at == len(log.order) - 1
    assert match.before_is is not Neighbour.LOG_START or at == 0
    assert match.found.rows == (0 if match.found.group.kind == "ddl" else log.order[at].written.rows)


@given(st.data())
@examples(50)
def test_search__not_found__never_said_of_what_the_purged_files_held(data: st.DataObject) -> None:
    log = data.draw(logs())
    gone = list(log.order)
    for _ in range(data.draw(st.integers(0, len(log.files()) - 1))):
        log.purge()
    gone = [stood for stood in gone if stood not in log.order]
    if not gone:
        return
    lost = data.draw(st.sampled_from(gone)).written
    wanted = Criteria(since_s=lost.at_s, until_s=lost.at_s, server_id=lost.server_id, table=lost.table)
    answer = ask(log, wanted)
    assert answer.state is not NodeState.NOT_FOUND
    assert not answer.covers(lost.at_s, SLACK_S)


def filled(count: int, *, per_file: int = 10, step_s: int = 60) -> FakeDumpedLog:
    log = FakeDumpedLog(began_s=1_000)
    for i in range(count):
        if i and i % per_file == 0:
            log.rotate(1_000 + i * step_s)
        log.write(Written(11, 1_000 + i * step_s, i, xid=100 + i, text=f"UPDATE orders SET a = {i}", value=i))
    return log


def test_time__many_files__reads_from_the_file_that_holds_it() -> None:
    log = filled(1_000)
    at = log.order[500].written.at_s
    answer = ask(log, Criteria(since_s=at, until_s=at))
    assert ends(answer) == [log.order[500].end]
    assert log.dumps[0].file == log.order[495].begin.file
    assert len(log.asked_files) <= 9
    assert answer.scan is not None
    assert answer.scan.stop is Stop.PAST
    assert answer.scan.groups < 30


def test_time__sample_nearer_than_the_file__read_from_there_unless_the_log_was_reset() -> None:
    log = filled(1_000, per_file=1_000)
    at = log.order[500].written.at_s
    log.samples = [(log.order[490].begin, log.order[490].written.at_s - 1)]
    assert ends(ask(log, Criteria(since_s=at, until_s=at))) == [log.order[500].end]
    assert log.dumps == [log.order[490].begin]
    log.samples = [(log.order[490].begin, 900)]
    ask(log, Criteria(since_s=at, until_s=at))
    assert log.dumps[-1].offset == 4


def test_time__logged_late__found_up_to_ten_minutes_after_the_range() -> None:
    log = filled(10)
    log.write(Written(21, 1_000, 77, xid=200))
    log.write(Written(21, 1_000 + LOGGED_WITHIN_S + 1, 78, xid=201))
    assert len(ask(log, Criteria(since_s=1_000, until_s=1_000, server_id=21)).matches) == 1


def test_position__between_two__names_both_and_inside_names_one() -> None:
    log = filled(25)
    stood = log.order[13]
    assert ends(ask(log, Criteria(position=stood.end))) == [stood.end, log.order[14].end]
    inside = FilePosition(stood.end.file, stood.end.offset - 7)
    assert ends(ask(log, Criteria(position=inside))) == [stood.end]
    assert ends(ask(log, Criteria(position=log.end))) == [log.order[-1].end]


def test_position__file_purged_or_never_there__told_apart() -> None:
    log = filled(25)
    log.purge()
    gone = ask(log, Criteria(position=FilePosition("binlog.000001", 300)))
    assert (gone.state, gone.code) == (NodeState.UNKNOWN, "log_purged")
    other = ask(log, Criteria(position=FilePosition("binlog.000009", 300)))
    assert (other.state, other.code) == (NodeState.NOT_FOUND, "no_such_file")


def test_xid__hole_or_purged__told_apart() -> None:
    log = filled(25)
    log.order.remove(log.order[5])
    assert ask(log, Criteria(xid=110)).matches[0].found.group.xid == 110
    assert ask(log, Criteria(xid=999)).code == "not_found"
    log.purge()
    assert ask(log, Criteria(xid=105)).code == "log_purged"


def test_gtid__not_where_it_is_likely__the_whole_log_is_read() -> None:
    log = filled(5)
    log.write(Written(21, 2_000, 9_000, xid=300))
    log.write(Written(11, 2_001, 6, xid=301))
    log.write(Written(11, 2_002, 10_000, xid=302))
    assert len(ask(log, Criteria(gtid=MariadbGtid(0, 11, 6))).matches) == 1
    assert ask(log, Criteria(gtid=MariadbGtid(0, 11, 7))).code == "not_found"


def test_xid__many_greater_ones__reading_stops() -> None:
    log = filled(OVERTAKING_GROUPS + 500, per_file=10_000)
    answer = ask(log, Criteria(xid=101))
    assert answer.scan is not None
    assert answer.scan.groups < OVERTAKING_GROUPS + 10


def test_text__rows_without_statements__not_found_is_not_said() -> None:
    log = filled(3)
    assert ask(log, Criteria(text="drop table")).code == "not_found"
    log.write(Written(11, 2_000, 9, xid=300))
    answer = ask(log, Criteria(text="drop table"))
    assert (answer.state, answer.code) == (NodeState.UNKNOWN, "no_statement_text")


def test_limits__of_time__unknown_and_says_how_far() -> None:
    log = filled(30)
    ticks = iter(range(1_000))
    asked = NodeQuestion(Criteria(table="shop.none"), LookupLimits(seconds=20), SLACK_S)
    answer = search_node(log, NODE, asked, lambda: float(next(ticks)))
    assert (answer.state, answer.code) == (NodeState.UNKNOWN, "limit_reached")
    assert answer.scan is not None
    assert answer.scan.stop is Stop.TIME
    assert str(answer.scan.end) in answer.detail


@pytest.mark.parametrize(
    ("statement", "table", "names"),
    [
        ("ALTER TABLE orders ADD x INT", "shop.orders", True),
        ("ALTER TABLE `orders` ADD x INT", "shop.orders", True),
        ("ALTER TABLE orders_old ADD x INT", "shop.orders", False),
        ("ALTER TABLE other.orders ADD x INT", "shop.orders", False),
        ("ALTER TABLE `other` . `orders` ADD x INT", "other.orders", True),
        ("DROP DATABASE other", "other.orders", False),
    ],
)
def test_table__statement__by_full_name_or_in_its_own_schema(statement: str, table: str, names: bool) -> None:
    log = FakeDumpedLog()
    log.write(Written(11, 1_500, 1, statement=statement))
    assert bool(ask(log, Criteria(table=table)).matches) is names


def test_nothing_logged__says_so() -> None:
    log = FakeDumpedLog()
    assert ask(log, Criteria(server_id=11)).code == "not_found"
    log.purge()
    assert ask(log, Criteria(server_id=11)).code == "no_binary_log"


def test_rows__of_a_type_without_a_length__not_counted() -> None:
    log = filled(1)
    events = list(log.events(FilePosition("binlog.000001", 4)))
    log._files["binlog.000001"] = [
        replace_type(event, 0xF0) if event.kind == 19 else event for event in events if event.end
    ]
    assert ask(log, Criteria(xid=100)).matches[0].found.rows is None


def replace_type(event: object, kind: int) -> object:
    body = bytearray(event.body)  # type: ignore[attr-defined]
    body[-3] = kind
    return event._replace(body=bytes(body))  # type: ignore[attr-defined]
