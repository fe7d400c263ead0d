"""Rows of a copy against a claimed place: the true one is never denied, another one never corroborated unless alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.orphans.model import OrphanTransaction, TransactionKind
from backend.core.orphans.row_proof import MAX_TRANSACTIONS, RowProof, prove_left, prove_rows
from backend.core.positions import FilePosition
from tests.core.builders.examples import examples
from tests.core.builders.orphan_worlds import (
    KEYED,
    KEYLESS,
    SHAPES,
    Model,
    delete,
    holding,
    images,
    insert,
    row,
    same_contents,
    transaction,
    update,
)
from tests.fakes.rows import FakeTables

CHANGES = st.lists(
    st.tuples(images, st.integers(0, 9), st.sampled_from(["insert", "insert", "update", "delete"])),
    min_size=1,
    max_size=MAX_TRANSACTIONS,
)


def counting(tables: FakeTables) -> object:
    def ask(asked: Sequence[str]) -> Mapping[str, int]:
        return {sql: tables.count(sql) for sql in asked}

    return ask


def row_proof(history: list[OrphanTransaction], claimed: int, tables: FakeTables) -> RowProof:
    """What the rows say of a claim."""
    return prove_rows(history[:claimed], history[claimed:], SHAPES, counting(tables), "a1")  # type: ignore[arg-type]


@given(changes=CHANGES, data=st.data())
@examples(300)
def test_prove_rows__any_history_any_claim__true_one_holds_and_no_other_that_differs(
    changes: list[tuple[object, ...]], data: st.DataObject
) -> None:
    """Every prefix of the history is a state; a claim of one is tried against the copy of another."""
    model, history, states = Model(), list[OrphanTransaction](), [Model().tables()]
    for one, pick, what in changes:
        change = model.change(KEYED, one, pick, what)  # type: ignore[arg-type]
        if change is not None and change.before != change.after:
            history.append(transaction(len(history), [change]))
            states.append(model.tables())
    held = data.draw(st.integers(0, len(history)))
    claimed = data.draw(st.integers(0, len(history)))
    proof = row_proof(history, claimed, states[held])
    if held == claimed:
        assert proof.agrees is (True if claimed else None)
    elif proof.agrees:
        assert same_contents(states[held], states[claimed]), "another place was corroborated"


def history_of(*rows: object) -> list[OrphanTransaction]:
    return [transaction(i, [one]) for i, one in enumerate(rows)]  # type: ignore[list-item]


def test_prove_rows__row_changed_by_those_after_it__followed_from_one_to_the_next() -> None:
    one, two, three = row(1, b"a"), row(1, b"b"), row(1, b"c")
    history = history_of(insert(one), update(one, two), update(two, three), delete(three), insert(one))
    model = holding(three)
    assert [row_proof(history, claimed, model.tables()).agrees for claimed in range(1, 6)] == [
        False, False, True, False, False,
    ]  # fmt: skip


def test_prove_rows__only_rows_without_a_key__cannot_decide() -> None:
    history = history_of(insert(row(1), KEYLESS), insert(row(2), KEYLESS))
    model = holding(row(1), shape=KEYLESS)
    proof = row_proof(history, 1, model.tables())
    assert proof.agrees is None
    assert "shop.keyless" in proof.detail


def test_prove_rows__keyless_row_missing_further_back__denied() -> None:
    history = history_of(insert(row(1), KEYLESS), insert(row(2)))
    assert row_proof(history, 2, holding(row(2)).tables()).agrees is False


def test_prove_rows__unreadable_further_back__told_by_the_nearer_ones() -> None:
    history = history_of(insert(row(1)), insert(row(2)))
    history[0] = transaction(0, [], refusal="shop.t.u: the type uuid cannot be decoded exactly")
    model = holding(row(2))
    assert row_proof(history, 2, model.tables()).agrees is True
    nearest = row_proof(history[:1], 1, model.tables())
    assert nearest.agrees is None
    assert "uuid" in nearest.detail


def test_prove_rows__nothing_before_the_place__cannot_decide() -> None:
    assert row_proof(history_of(insert(row(1))), 0, Model().tables()).agrees is None


def left(history: list[OrphanTransaction], missing: set[int], tables: FakeTables) -> RowProof:
    """What the rows say of those that a log lacks."""
    ends = {history[index].end for index in missing}
    return prove_left(history, ends, SHAPES, counting(tables), "a1")  # type: ignore[arg-type]


@given(changes=CHANGES, data=st.data())
@examples(300)
def test_prove_left__any_history_any_of_it_passed_over__borne_out_only_where_rows_are_the_same(
    changes: list[tuple[object, ...]], data: st.DataObject
) -> None:
    """A side that got all of it always holds; one that passed over some holds only if nothing came of that."""
    model, history = Model(), list[OrphanTransaction]()
    before = Model()
    for one, pick, what in changes:
        change = model.change(KEYED, one, pick, what)  # type: ignore[arg-type]
        if change is not None and change.before != change.after:
            history.append(transaction(len(history), [change]))
    if not history:
        return
    missing = data.draw(st.sets(st.integers(0, len(history) - 1), min_size=1))
    behind, among = history[min(missing) :], {index - min(missing) for index in missing}
    assert left(behind, among, model.tables()).agrees is True
    for index, one in enumerate(history):
        if index not in missing:
            applied = applied_as_an_applier_does(before, one)
            if not applied:
                return  # the channel stops there
    if left(behind, among, before.tables()).agrees:
        assert same_contents(before.tables(), model.tables()), "a transaction that was passed over was held for applied"


def applied_as_an_applier_does(model: Model, one: OrphanTransaction) -> bool:
    """By the key alone, whatever else stands in the row; False where the row, or room for it, is not there."""
    table = model.rows[KEYED.name]
    for change in one.rows:
        if change.before is not None:
            found = next((there for there in table if there[0] == change.before[0]), None)
            if found is None:
                return False
            table.remove(found)
        if change.after is not None:
            if any(there[0] == change.after[0] for there in table):
                return False
            table.append(change.after)
    return True


def test_prove_left__row_stood_so_before__borne_out() -> None:
    """Both sides counted the same counter from 1 to 2: the applier found nothing to change, and logged nothing."""
    history = history_of(update(row(1, b"1"), row(1, b"2")), delete(row(2)))
    assert left(history, {0}, holding(row(1, b"2")).tables()).agrees is True


def test_prove_left__passed_over__denied_by_table_and_number() -> None:
    history = history_of(update(row(1, b"1"), row(1, b"2")), delete(row(2)))
    model = holding(row(1, b"1"))
    proof = left(history, {0}, model.tables())
    assert proof.agrees is False
    assert "shop.keyed" in proof.detail
    assert "500" in proof.detail


def test_prove_left__row_changed_again_on_that_side__denied() -> None:
    history = history_of(update(row(1, b"1"), row(1, b"2")))
    assert left(history, {0}, holding(row(1, b"3")).tables()).agrees is False


@pytest.mark.parametrize(
    "lacked",
    [
        transaction(0, [insert(row(1), KEYLESS)]),
        transaction(0, [update(row(1, b"1"), row(1, b"2")), insert(row(1), KEYLESS)]),
        transaction(0, []),
        transaction(0, [], kind=TransactionKind.DDL, statement="ALTER TABLE shop.keyed ADD x INT"),
        transaction(0, [], refusal="it was written as a statement, not as rows"),
        transaction(0, [replace(insert(row(1)), schema="hawser")]),
    ],
    ids=["no-key", "some-without-a-key", "no-rows", "ddl", "unreadable", "own"],
)
def test_prove_left__nothing_names_what_was_lacked__cannot_decide(lacked: OrphanTransaction) -> None:
    """A twin may stand in for a row that no key names."""
    model = holding(row(1), shape=KEYLESS)
    model.rows[KEYED.name] = [row(1, b"2"), row(2)]
    history = [lacked, transaction(1, [insert(row(2))])]
    assert left(history, {0}, model.tables()).agrees is None


def test_prove_left__definition_changed_behind_it__cannot_decide() -> None:
    history = history_of(update(row(1, b"1"), row(1, b"2")))
    history.append(transaction(1, [], kind=TransactionKind.DDL, statement="ALTER TABLE shop.keyed ADD x INT"))
    assert left(history, {0}, holding(row(1, b"2")).tables()).agrees is None


def test_prove_left__not_among_what_was_read__cannot_decide() -> None:
    history = history_of(insert(row(1)))
    proof = prove_left(history, {FilePosition("binlog.000009", 4)}, SHAPES, counting(Model().tables()), "a1")  # type: ignore[arg-type]
    assert proof.agrees is None
