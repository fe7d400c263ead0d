"""Rows in conflict decided by row or table: what the paper says is what the statements do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.findings import Severity
from backend.core.orphans.conflicts import Conflict, ReplayJudge
from backend.core.orphans.decisions import (
    MAX_RESOLVED,
    Decision,
    Decisions,
    Resolution,
    read_decisions,
    resolutions_from_json,
    resolved_statements,
    row_name,
)
from backend.core.orphans.model import OrphanList, RowImage, TableShape
from backend.core.orphans.report import OrphanReport, replay_params, undo_params
from backend.core.orphans.schema_changes.projection import ProjectedRow
from backend.core.ports import RowConflictError
from tests.core.builders.orphan_worlds import (
    KEYED,
    KEYLESS,
    SHAPES,
    Model,
    book_of,
    delete,
    diverged,
    holding,
    insert,
    row,
    steps,
    update,
)
from tests.fakes.rows import FakeTables

KEEP, TAKE, LEAVE = Decision
ONE = row_name(insert(row(1)), KEYED)


@dataclass
class Rows:
    """The active side as a node's session sees it, over images."""

    model: Model
    node: str = "b1"

    def count(self, asked: Sequence[str]) -> Mapping[str, int]:
        tables = self.model.tables()
        return {sql: tables.count(sql) for sql in asked}

    def find(self, shape: TableShape, image: RowImage) -> RowImage | None:
        return next((one for one in self.model.rows[shape.name] if one[0] == image[0]), None)

    def close(self) -> None:
        return


def active(*rows: RowImage, shape: TableShape = KEYED) -> Rows:
    return Rows(holding(*rows, shape=shape))


def judged(book: OrphanList, rows: Rows, decisions: Decisions) -> tuple[list[Conflict], list[Resolution]]:
    judge = ReplayJudge(SHAPES, rows.count, decisions, rows)
    return list(judge.conflicts(book.transactions)), judge.resolutions


def replayed(book: OrphanList, rows: Rows, decisions: Decisions) -> FakeTables:
    """What stands on the active side after the run."""
    conflicts, resolutions = judged(book, rows, decisions)
    tables = rows.model.tables()
    left_out = {conflict.index for conflict in conflicts}
    resolved = resolutions_from_json([one.to_json() for one in resolutions])
    for one in book.transactions:
        if one.index not in left_out:
            tables.apply("b1", resolved_statements(one, SHAPES, resolved))
    return tables


def names(tables: FakeTables) -> dict[str, str]:
    return {found["id"]: found["name"] for found in tables.rows[KEYED.name]}


def text(name: bytes) -> str:
    return f"_utf8mb4 x'{name.hex()}'"


CHANGED = book_of([[update(row(1), row(1, b"x")), insert(row(2))], [update(row(1, b"x"), row(1, b"y"))]])
OTHERS = row(1, b"theirs")


def test_decisions__none__conflicts_with_both_sides_values() -> None:
    conflicts, resolutions = judged(CHANGED, active(OTHERS), Decisions())
    assert [(one.index, one.row, one.decision, one.depends_on) for one in conflicts] == [
        (0, ONE, None, None),
        (1, "", None, 0),
    ]
    values = conflicts[0].values
    assert [values[name]["name"] for name in ("b1", "orphan", "before")] == ["theirs", "x", "n"]  # type: ignore[index]
    assert resolutions == []


@pytest.mark.parametrize(
    ("decision", "left"),
    [
        (KEEP, {"1": text(b"theirs"), "2": text(b"n")}),
        (TAKE, {"1": text(b"y"), "2": text(b"n")}),
        (LEAVE, {"1": text(b"theirs")}),
    ],
)
@pytest.mark.parametrize("by", ["row", "table"])
def test_decisions__by_row_or_table__the_rest_is_replayed(decision: Decision, left: dict[str, str], by: str) -> None:
    given_one = {"table": KEYED.name, "row": ONE if by == "row" else None, "decision": decision.value}
    assert names(replayed(CHANGED, active(OTHERS), read_decisions([given_one]))) == left


def test_decisions__row_and_its_table__the_rows_own_goes_first() -> None:
    decisions = Decisions({KEYED.name: LEAVE}, {(KEYED.name, ONE): TAKE})
    assert names(replayed(CHANGED, active(OTHERS), decisions))["1"] == text(b"y")


@pytest.mark.parametrize(
    ("rows", "there", "left"),
    [
        ([[insert(row(1))]], active(OTHERS), {"1": text(b"n")}),
        ([[delete(row(1))]], active(OTHERS), {}),
        ([[delete(row(1))]], active(), {}),
        ([[update(row(1), row(1, b"x"))]], active(), {"1": text(b"x")}),
        ([[update(row(1), row(3, b"x"))]], active(OTHERS), {"3": text(b"x")}),
        ([[update(row(1), row(1, b"x")), update(row(1, b"x"), row(1, b"y"))]], active(OTHERS), {"1": text(b"y")}),
    ],
)
def test_take__row_inserted_deleted_missing_or_moved__as_the_orphan_left_it(
    rows: list,
    there: Rows,
    left: dict[str, str],  # type: ignore[type-arg]
) -> None:
    assert names(replayed(book_of(rows), there, Decisions({KEYED.name: TAKE}))) == left


def test_take__row_is_alike_already__nothing_is_written_and_the_next_change_is() -> None:
    book = book_of([[update(row(1), OTHERS), update(OTHERS, row(1, b"y"))], [update(row(1, b"y"), row(1, b"z"))]])
    decisions = Decisions({KEYED.name: TAKE})
    _, (resolution,) = judged(book, active(OTHERS), decisions)
    assert (resolution.is_alike, resolution.is_written) == (True, False)
    assert names(replayed(book, active(OTHERS), decisions)) == {"1": text(b"z")}
    assert undo_params(report(resolutions=(resolution,)), "n_b1", replays=True)["kept_rows"] == [[0, ONE]]


def test_take__another_row_holds_its_key__still_a_conflict() -> None:
    book = book_of([[update(row(1), row(2, b"x"))]])
    (conflict,), _ = judged(book, active(OTHERS, row(2)), Decisions({KEYED.name: TAKE}))
    assert conflict.decision is None
    assert "cannot be taken: another row there has the same id" in conflict.reason


def test_take__row_changed_since_the_plan__the_run_finds_it_out() -> None:
    book = book_of([[update(row(1), row(1, b"x"))]])
    _, resolutions = judged(book, active(OTHERS), Decisions({KEYED.name: TAKE}))
    resolved = {(one.index, one.row): one for one in resolutions}
    tables = active(row(1, b"changed again")).model.tables()
    with pytest.raises(RowConflictError):
        tables.apply("b1", resolved_statements(book.transactions[0], SHAPES, resolved))


@pytest.mark.parametrize("decision", [KEEP, TAKE])
def test_decisions__row_that_no_key_names__can_only_be_left_out(decision: Decision) -> None:
    book = book_of([[delete(row(1), KEYLESS)]])
    (conflict,), resolutions = judged(book, active(shape=KEYLESS), Decisions({KEYLESS.name: decision}))
    assert (conflict.row, conflict.decision, resolutions) == ("", None, [])


def test_take__table_whose_definition_changed__not_written_by_half_of_its_columns() -> None:
    whole = update(row(1), row(1, b"x"))
    part = ProjectedRow(whole.schema, whole.table, whole.operation, whole.before, whole.after, 0, whole)
    (conflict,), _ = judged(book_of([[part]]), active(OTHERS), Decisions({KEYED.name: TAKE}))
    assert "changed the table's definition" in conflict.reason


def test_take__an_earlier_orphan_changes_the_row__is_not_taken_from_what_stands_now() -> None:
    book = book_of([[update(row(1), row(1, b"x"))], [update(row(1, b"other"), row(1, b"y"))]])
    (conflict,), _ = judged(book, active(row(1)), Decisions({KEYED.name: TAKE}))
    assert "an earlier orphaned transaction changes it" in conflict.reason


def test_decisions__about_nothing_in_conflict__named() -> None:
    decisions = Decisions({KEYED.name: KEEP, "shop.none": KEEP}, {(KEYED.name, "f" * 20): KEEP})
    judged(CHANGED, active(OTHERS), decisions)
    assert decisions.meaningless() == ("table shop.none", f"row {'f' * 20} of {KEYED.name}")


def test_decisions__transaction_with_one_row_undecided__is_in_conflict_as_a_whole() -> None:
    book = book_of([[update(row(1), row(1, b"x")), update(row(2), row(2, b"x"))]])
    decisions = Decisions({}, {(KEYED.name, ONE): TAKE})
    conflicts, resolutions = judged(book, active(OTHERS, row(2, b"theirs")), decisions)
    assert [(one.index, one.decision) for one in conflicts] == [(0, None)]
    assert resolutions == []


def report(**changes: object) -> OrphanReport:
    return replace(OrphanReport("found", "1 orphan", transactions=2), **changes)  # type: ignore[arg-type]


def test_report__undecided_blocks_and_decided_warns() -> None:
    conflicts, _ = judged(CHANGED, active(OTHERS), Decisions())
    (blocked,) = report(conflicts=tuple(conflicts)).findings("replay")
    assert blocked.severity is Severity.BLOCKER
    assert "conflict_decisions" in blocked.remedy
    left_out, _ = judged(CHANGED, active(OTHERS), Decisions({KEYED.name: LEAVE}))
    (warned,) = report(conflicts=tuple(left_out)).findings("replay")
    assert warned.severity is Severity.WARNING
    _, resolutions = judged(CHANGED, active(OTHERS), Decisions({KEYED.name: KEEP}))
    decided = report(resolutions=tuple(resolutions))
    assert [(one.code, one.severity) for one in decided.findings("replay")] == [("orphans_decided", Severity.WARNING)]
    assert decided.findings("undo")[0].code == "orphans_undo"


def test_report__conflicts_and_those_that_follow__told_by_what_they_follow() -> None:
    conflicts, _ = judged(CHANGED, active(OTHERS), Decisions())
    (found,) = report(conflicts=tuple(conflicts)).findings("replay")
    assert found.message.startswith("2 of 2 transactions cannot be replayed: 1 (shop.keyed:")
    assert "which is not replayed" not in found.message


def test_report__definitions_among_the_orphans__said_whatever_else_is_decided() -> None:
    _, resolutions = judged(CHANGED, active(OTHERS), Decisions({KEYED.name: KEEP}))
    for found in (report(schema_changes=2), report(schema_changes=2, resolutions=tuple(resolutions))):
        assert "orphans_schema_changes" in {finding.code for finding in found.findings("replay")}
        assert "orphans_schema_changes" not in {finding.code for finding in found.findings("undo")}


def test_report__missing_grants__say_on_which_node_they_are_given() -> None:
    found = report(missing_grants=(("b1", "GRANT a"), ("a1", "GRANT b"))).findings("replay")
    assert [(one.facts["node"], one.remedy) for one in found] == [("b1", "GRANT a"), ("a1", "GRANT b")]
    assert all(f"On {one.facts['node']} " in one.message for one in found)


def test_report__decision_about_nothing_or_too_many__refused() -> None:
    (found,) = report(meaningless=("table shop.none",)).findings("replay")
    assert (found.code, found.severity) == ("decision_without_conflict", Severity.BLOCKER)
    beyond = (Resolution(0, ONE, KEEP),) * (MAX_RESOLVED + 1)
    assert report(resolutions=beyond).findings("replay")[0].code == "too_many_decisions"


def test_params__carry_what_was_decided_to_both_steps() -> None:
    left_out, resolutions = judged(
        book_of([[update(row(1), row(1, b"x"))], [insert(row(2))]]),
        active(OTHERS, row(2, b"theirs")),
        Decisions({KEYED.name: LEAVE}, {(KEYED.name, ONE): KEEP}),
    )
    found = report(conflicts=tuple(left_out), resolutions=tuple(resolutions))
    assert replay_params(found)["skip"] == [1]
    assert replay_params(found)["resolutions"] == [[0, ONE, "keep_active", None, False]]
    undone = undo_params(found, "n_b1", replays=True)
    assert (undone["not_replayed"], undone["kept_rows"]) == ([1], [[0, ONE]])
    assert undo_params(found, "n_b1")["kept_rows"] == []


def test_resolution__there_and_back() -> None:
    one = Resolution(3, ONE, TAKE, row(1, b"\xff"))
    assert resolutions_from_json([one.to_json()]) == {(3, ONE): one}


@given(steps, steps, steps, st.sampled_from(Decision), st.dictionaries(st.integers(1, 6), st.sampled_from(Decision)))
def test_decisions__any_of_them_over_any_orphans__the_run_does_what_the_paper_says(
    first: list,
    theirs: list,
    ours: list,
    by_table: Decision,
    by_id: dict[int, Decision],  # type: ignore[type-arg]
) -> None:
    book, other = diverged(first, theirs, ours)
    by_row = {(KEYED.name, row_name(insert(row(number)), KEYED)): decision for number, decision in by_id.items()}
    replayed(book, Rows(other), Decisions({KEYED.name: by_table, KEYLESS.name: LEAVE}, by_row))
