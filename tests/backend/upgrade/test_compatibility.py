"""No migration since the last release may break its code; each kind of operation that would is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.backend.upgrade.allowed import ALLOWED
from tests.backend.upgrade.compatibility import breaks_since, reasons
from tests.backend.upgrade.released import newer_migrations, released_migrations


def test_newer_migrations__released_code__survives_them_or_a_person_says_why() -> None:
    found = breaks_since(MigrationLoader(None), released_migrations())
    refused = [
        f"{b.app}.{b.migration} operation {b.index} ({b.operation}): {b.why}" for b in found if b.key not in ALLOWED
    ]
    assert refused == [], "See docs/how-to/upgrade.md#for-those-who-write-migrations"
    assert set(ALLOWED) <= {b.key for b in found}, "allowed, but not refused any more"
    assert all(len(reason) > 20 for reason in ALLOWED.values())


def test_released_migrations__all_of_them__are_still_there() -> None:
    assert set(released_migrations()) <= set(MigrationLoader(None).graph.nodes)


def test_newer_migrations__than_an_earlier_release__are_judged_in_their_order() -> None:
    loader = MigrationLoader(None)
    before = [(app, name) for app, name in loader.graph.nodes if app != "access"]
    assert newer_migrations(loader, before) == [("access", "0001_rights")]
    loader.graph.nodes["access", "0001_rights"].operations.append(ops.RunSQL("SELECT 1"))
    [found] = breaks_since(loader, before)
    assert (found.key, found.why) == (
        ("access", "0001_rights", 1),
        "what it does to rows of the released code is unknown",
    )


def _reasons(operation: Operation) -> list[str]:
    state = ProjectState()
    fields: list[tuple[str, models.Field[Any, Any]]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("name", models.CharField(max_length=20)),
        ("note", models.CharField(max_length=20, null=True)),
        ("size", models.IntegerField(db_default=0)),
    ]
    ops.CreateModel("Thing", fields).state_forwards("app", state)
    return list(reasons(operation, "app", state))


def _text(**options: Any) -> models.Field[Any, Any]:
    return models.CharField(**{"max_length": 20, **options})


@pytest.mark.parametrize(
    "operation",
    [
        ops.CreateModel("Other", [("id", models.BigAutoField(primary_key=True))]),
        ops.AddField("thing", "more", _text(null=True)),
        ops.AddField("thing", "more", _text(db_default="")),
        ops.AddField("thing", "more", models.ManyToManyField("app.Thing")),
        ops.AddField("thing", "more", _text(null=True, unique=True)),
        ops.AlterField("thing", "name", _text(max_length=40)),
        ops.AlterField("thing", "name", models.TextField()),
        ops.AlterField("thing", "size", models.BigIntegerField(db_default=0)),
        ops.AddIndex("thing", models.Index(fields=["name"], name="n")),
        ops.AlterModelOptions("thing", {"ordering": ["name"]}),
        ops.SeparateDatabaseAndState(state_operations=[ops.RemoveField("thing", "note")]),
        ops.SeparateDatabaseAndState(state_operations=[ops.RemoveField("thing", "size")]),
        ops.SeparateDatabaseAndState(state_operations=[ops.DeleteModel("thing")]),
    ],
)
def test_operation__only_adds__is_accepted(operation: Operation) -> None:
    assert _reasons(operation) == []


class _Unknown(Operation):
    pass


BREAKING: Sequence[tuple[Operation, str]] = (
    (ops.AddField("thing", "more", _text()), "null=True or db_default"),
    (ops.AddField("thing", "more", _text(default="")), "null=True or db_default"),
    (ops.AddField("thing", "more", _text(unique=True, db_default="")), "same value twice"),
    (ops.RemoveField("thing", "note"), "still reads"),
    (ops.RenameField("thing", "note", "remark"), "still reads"),
    (ops.RenameModel("Thing", "Item"), "still reads"),
    (ops.DeleteModel("Thing"), "still reads"),
    (ops.AlterModelTable("thing", "other"), "still reads"),
    (ops.AlterField("thing", "note", _text()), "null is changed"),
    (ops.AlterField("thing", "note", _text(db_default="")), "null is changed"),
    (ops.AlterField("thing", "name", _text(null=True)), "null is changed"),
    (ops.AlterField("thing", "name", _text(max_length=19)), "does not hold every value"),
    (ops.AlterField("thing", "name", models.IntegerField()), "does not hold every value"),
    (ops.AlterField("thing", "name", _text(unique=True)), "same value twice"),
    (ops.AlterField("thing", "name", _text(db_column="title")), "another name"),
    (ops.AlterField("thing", "size", models.IntegerField()), "db_default, which is removed"),
    (ops.AddConstraint("thing", models.UniqueConstraint(fields=["name"], name="once")), "a new constraint refuses"),
    (ops.RemoveConstraint("thing", "once"), "rely on one that is removed"),
    (ops.AlterUniqueTogether("thing", {("name", "note")}), "a new constraint refuses"),
    (ops.RunPython(ops.RunPython.noop), "is unknown"),
    (ops.RunSQL("SELECT 1"), "is unknown"),
    (ops.AlterOrderWithRespectTo("thing", "name"), "is unknown"),
    (_Unknown(), "is unknown"),
    (ops.SeparateDatabaseAndState([ops.RemoveField("thing", "note")]), "still reads"),
    (ops.SeparateDatabaseAndState(state_operations=[ops.RemoveField("thing", "name")]), "inserts rows without name"),
    (ops.SeparateDatabaseAndState(state_operations=[ops.RenameField("thing", "name", "x")]), "in the state alone"),
)


@pytest.mark.parametrize(("operation", "reported"), BREAKING)
def test_operation__breaks_the_released_code__is_refused(operation: Operation, reported: str) -> None:
    assert reported in " ".join(_reasons(operation))
