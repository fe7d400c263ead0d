"""What a plan asks of both sides before definitions are replayed or reverted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from backend.core.orphans.model import Column, OrphanList, TableCount, TableShape, TransactionKind
from backend.core.orphans.progress_marker import OrphanAction
from backend.core.orphans.schema_changes import checks as schema_checks
from backend.core.orphans.schema_changes.checks import SchemaChecks
from backend.core.orphans.schema_changes.parse import parse_schema_change
from backend.core.topology import NodeRef
from tests.core.builders.orphan_worlds import transaction

ID, MORE, OTHER = (Column(name, "int", "int(11)") for name in ("id", "more", "other"))
T = TableShape("shop", "t", (ID, MORE), (("id",),))
CREATE, ADD = "CREATE TABLE t (id INT PRIMARY KEY)", "ALTER TABLE t ADD more INT"


@dataclass
class OneNode:
    """Answers by the first words that fit; its tables are read through `read_shapes`."""

    tables: dict[str, TableShape] = field(default_factory=dict)
    answers: dict[str, object] = field(default_factory=dict)
    node: NodeRef = field(default_factory=lambda: NodeRef("n_1", "one", "127.0.0.1", 3306, "c"))

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Mapping[str, object]]:
        del timeout_s
        return [{"n": next((n for word, n in self.answers.items() if word in sql), 0), "c": self.answers.get("c", "x")}]

    def close(self) -> None:
        return


def checks(*statements: str, there: TableShape | None = None, collation: str = "x") -> SchemaChecks:
    """Of the orphans' statements, with the survivor's table as it is there."""
    orphans = tuple(
        transaction(i, [], kind=TransactionKind.DDL, change=parse_schema_change(sql, "shop"))
        for i, sql in enumerate(statements)
    )
    survivor = OneNode({} if there is None else {there.name: there}, {"c": collation})
    book = OrphanList("d" * 64, orphans, {T.name: T})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_checks, "read_shapes", lambda reader, _: dict(reader.tables))
        return SchemaChecks(book, OneNode({T.name: T}), survivor)


@pytest.mark.parametrize(
    ("statements", "there"),
    [
        ((CREATE, ADD), None),
        ((CREATE, ADD), replace(T, columns=(ID,))),
        ((CREATE, ADD), T),
        ((ADD,), replace(T, columns=(ID,))),
        (("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, more INT)",), None),
        (("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, more INT)",), T),
    ],
)
def test_replay__survivor_has_none_some_or_all_of_it__allowed(
    statements: tuple[str, ...], there: TableShape | None
) -> None:
    assert list(checks(*statements, there=there).against_replay(OneNode())) == []


def test_replay__survivor_has_the_table_otherwise__refused() -> None:
    for statements in ((CREATE, ADD), (ADD,)):
        (why,) = checks(*statements, there=replace(T, columns=(ID, OTHER))).against_replay(OneNode())
        assert "other columns" in why
    (why,) = checks(ADD, there=None).against_replay(OneNode())
    assert "does not exist there" in why


def test_replay__schemas_have_other_collations__refused() -> None:
    found = checks(CREATE, ADD, collation="y")
    assert ["default collation" in why for why in found.against_replay(OneNode())] == [True]


def test_replay__unique_key_that_rows_there_break__refused() -> None:
    found = checks("CREATE UNIQUE INDEX u ON t (more)", there=T)
    (why,) = found.against_replay(OneNode(answers={"HAVING": 1}))
    assert "share values of more" in why
    assert list(found.against_replay(OneNode())) == []


@pytest.mark.parametrize(("rows", "is_open"), [(2, True), (3, False), (1, False)])
def test_undo__created_table__only_with_the_orphans_rows_alone(rows: int, is_open: bool) -> None:
    found = checks(CREATE)
    node = OneNode(answers={"information_schema.TABLES": 1, "FROM `shop`.`t`": rows})
    reasons = list(found.against_undo(node, [TableCount("shop", "t", inserts=3, deletes=1)]))
    assert (reasons == []) is is_open


def test_undo__what_was_added_is_not_seen__refused() -> None:
    (why,) = checks(ADD).against_undo(OneNode(), [])
    assert "the operator account sees 0" in why


def test_settled__created_if_not_exists_and_there_on_both_sides__left_alone() -> None:
    found = checks("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, more INT)", there=T)
    assert found.settled == (0,)
    assert list(found.against_undo(OneNode(), [])) == []


def test_privileges__by_schema_and_way() -> None:
    assert checks(CREATE).privileges(OrphanAction.UNDO) == {"shop": ("DROP",)}
    assert checks(CREATE, ADD).privileges(OrphanAction.REPLAY) == {"shop": ("CREATE", "ALTER", "INDEX", "INSERT")}


def test_settled__survivor_lacks_the_table__is_to_be_done() -> None:
    assert checks("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, more INT)").settled == ()
    assert checks(CREATE, there=T).settled == ()


def test_replay__schema_or_table_is_not_there__refused() -> None:
    found = checks("CREATE TABLE u (id INT)")
    (why,) = found.against_replay(OneNode())
    assert "shop.u does not exist any more on the returned side" in why
    nowhere = checks(CREATE, ADD)
    nowhere.survivor_reader.query = lambda *_, **__: []  # type: ignore[method-assign, assignment]
    assert [why for why in nowhere.against_replay(OneNode()) if "schema shop does not exist there" in why]
