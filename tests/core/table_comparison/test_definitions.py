"""What of a table is compared is said, and what is not."""

from __future__ import annotations

from dataclasses import replace

from backend.core.orphans.model import Column, TableShape
from backend.core.table_comparison.definitions import Comparable, Definition, NotComparable, comparable

ID = Column("id", "int", "int(11)")
NAME = Column("name", "varchar", "varchar(40)", charset="utf8mb4")
SHAPE = TableShape("shop", "orders", (ID, NAME), (("id",),))
BYTES = {"name": "utf8mb4_bin"}


def decided(one: Definition | None, other: Definition | None) -> Comparable | NotComparable:
    """For two nodes."""
    return comparable("shop.orders", {"milan": one, "frankfurt": other})


def of(shape: TableShape, engine: str = "InnoDB", collation: str = "utf8mb4_bin") -> Definition:
    """A definition whose texts have that collation."""
    return Definition(shape, engine, {c.name: collation for c in shape.columns if c.charset})


def test_comparable__alike__by_its_key() -> None:
    assert decided(of(SHAPE), of(SHAPE)) == Comparable(SHAPE)


def test_comparable__absent__nothing_is_compared() -> None:
    found = decided(of(SHAPE), None)
    assert found == NotComparable("table_missing", "shop.orders exists on milan, not on frankfurt.")


def test_comparable__another_engine__nothing_is_compared() -> None:
    found = decided(of(SHAPE), of(SHAPE, engine="Aria"))
    assert isinstance(found, NotComparable)
    assert found.code == "engine_without_transactions"


def test_comparable__a_column_that_one_lacks__the_others_are_compared() -> None:
    more = replace(SHAPE, columns=(ID, NAME, Column("note", "text", "text", charset="utf8mb4")))
    assert decided(of(more), of(SHAPE)) == Comparable(
        SHAPE, ("note is defined differently, or is not there, on frankfurt",)
    )
    assert decided(of(SHAPE), of(more)) == Comparable(SHAPE, ("note is on frankfurt alone",))


def test_comparable__another_charset__the_column_is_left_out() -> None:
    other = replace(SHAPE, columns=(ID, replace(NAME, charset="latin1")))
    found = decided(of(SHAPE), of(other))
    assert found == Comparable(
        replace(SHAPE, columns=(ID,)), ("name is defined differently, or is not there, on frankfurt",)
    )


def test_comparable__a_computed_column__is_left_out() -> None:
    shape = replace(SHAPE, columns=(ID, NAME, Column("twice", "int", "int(11)", is_generated=True)))
    assert decided(of(shape), of(shape)) == Comparable(SHAPE, ("twice is computed by the server",))


def test_comparable__a_key_of_text_in_another_order__number_and_sum_are_compared() -> None:
    by_name = replace(SHAPE, keys=(("name",),))
    found = decided(of(by_name), of(by_name, collation="utf8mb4_general_ci"))
    assert isinstance(found, Comparable)
    assert found.shape.key == ()
    assert "so their number and sum is compared" in found.left_out[-1]


def test_comparable__the_first_key_has_no_order__the_next_one_is_used() -> None:
    shape = TableShape("shop", "orders", (Column("f", "float", "float"), ID), (("f",), ("id",)))
    found = decided(of(shape), of(shape))
    assert isinstance(found, Comparable)
    assert found.shape.key == ("id",)


def test_comparable__a_key_that_may_be_null__is_none() -> None:
    shape = replace(SHAPE, keys=((), ("name",)))
    found = decided(of(shape), of(shape))
    assert isinstance(found, Comparable)
    assert found.shape.key == ()


def test_comparable__a_key_that_one_node_lacks__is_none() -> None:
    found = decided(of(SHAPE), of(replace(SHAPE, keys=())))
    assert isinstance(found, Comparable)
    assert found.shape.key == ()


def test_comparable__nothing_in_common__says_so() -> None:
    other = replace(SHAPE, columns=(Column("id", "bigint", "bigint(20)"),))
    found = decided(of(SHAPE), of(other))
    assert isinstance(found, NotComparable)
    assert found.code == "no_shared_column"
