"""Rows of a copy against a claimed place: the true one is never denied, another one never borne out unless alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.orphans.model import OrphanTransaction
from backend.core.orphans.row_proof import MAX_TRANSACTIONS, RowProof, prove_rows
from tests.core.builders.orphan_worlds import (
    KEYED,
    KEYLESS,
    SHAPES,
    Model,
    delete,
    images,
    insert,
    row,
    same_contents,
    transaction,
    update,
)
from tests.fakes.rows import FakeTables

pytestmark = pytest.mark.core
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
@settings(max_examples=300, deadline=None)
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
        assert same_contents(states[held], states[claimed]), "another place was borne out"


def history_of(*rows: object) -> list[OrphanTransaction]:
    return [transaction(i, [one]) for i, one in enumerate(rows)]  # type: ignore[list-item]


def test_prove_rows__row_changed_by_those_after_it__followed_from_one_to_the_next() -> None:
    one, two, three = row(1, b"a"), row(1, b"b"), row(1, b"c")
    history = history_of(insert(one), update(one, two), update(two, three), delete(three), insert(one))
    model = Model()
    model.rows[KEYED.name] = [three]
    assert [row_proof(history, claimed, model.tables()).agrees for claimed in range(1, 6)] == [
        False, False, True, False, False,
    ]  # fmt: skip


def test_prove_rows__only_rows_without_a_key__cannot_decide() -> None:
    history = history_of(insert(row(1), KEYLESS), insert(row(2), KEYLESS))
    model = Model()
    model.rows[KEYLESS.name] = [row(1)]
    proof = row_proof(history, 1, model.tables())
    assert proof.agrees is None
    assert "shop.keyless" in proof.detail


def test_prove_rows__keyless_row_missing_further_back__denied() -> None:
    history = history_of(insert(row(1), KEYLESS), insert(row(2)))
    model = Model()
    model.rows[KEYED.name] = [row(2)]
    assert row_proof(history, 2, model.tables()).agrees is False


def test_prove_rows__unreadable_further_back__told_by_the_nearer_ones() -> None:
    history = history_of(insert(row(1)), insert(row(2)))
    history[0] = transaction(0, [], refusal="shop.t.u: the type uuid cannot be decoded exactly")
    model = Model()
    model.rows[KEYED.name] = [row(2)]
    assert row_proof(history, 2, model.tables()).agrees is True
    nearest = row_proof(history[:1], 1, model.tables())
    assert nearest.agrees is None
    assert "uuid" in nearest.detail


def test_prove_rows__nothing_before_the_place__cannot_decide() -> None:
    assert row_proof(history_of(insert(row(1))), 0, Model().tables()).agrees is None
