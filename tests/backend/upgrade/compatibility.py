"""Why an operation of a migration would break the released code, which goes on running on the new schema.

An operation that is unknown here is refused: unknown never passes. It is written here, because
django-migration-linter reads the SQL of one server and needs that server for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.fields import NOT_PROVIDED

from backend.config.backup.schema import Migrations, last_of
from tests.backend.upgrade.released import newer_migrations

_WIDER: Final = {
    ("PositiveSmallIntegerField", "PositiveIntegerField"),
    ("PositiveSmallIntegerField", "PositiveBigIntegerField"),
    ("PositiveIntegerField", "PositiveBigIntegerField"),
    ("SmallIntegerField", "IntegerField"),
    ("SmallIntegerField", "BigIntegerField"),
    ("IntegerField", "BigIntegerField"),
    ("CharField", "TextField"),
}


@dataclass(frozen=True, slots=True)
class Break:
    """An operation that the released code does not survive."""

    app: str
    migration: str
    index: int
    operation: str
    why: str

    @property
    def key(self) -> tuple[str, str, int]:
        """Its place, by which it can be allowed."""
        return self.app, self.migration, self.index


def breaks_since(loader: MigrationLoader, released: Migrations) -> list[Break]:
    """All operations of newer migrations that would break the released code."""
    state = loader.project_state(last_of(loader, released))
    found = []
    for app, name in newer_migrations(loader, released):
        for index, operation in enumerate(loader.graph.nodes[app, name].operations):
            found += [Break(app, name, index, operation.describe(), why) for why in reasons(operation, app, state)]
            operation.state_forwards(app, state)
    return found


def reasons(operation: Operation, app: str, state: ProjectState) -> Iterator[str]:
    """Why the released code would break; nothing for an operation that only adds what it need not know."""
    judge = _JUDGES.get(type(operation))
    if judge is None:
        yield f"{type(operation).__name__} is unknown"
        return
    yield from judge(operation, app, state)


def _nothing(_operation: Any, _app: str, _state: ProjectState) -> Iterator[str]:
    yield from ()


def _gone(_operation: Any, _app: str, _state: ProjectState) -> Iterator[str]:
    yield "the released code still reads and writes what is removed or renamed"


def _constraint(_operation: Any, _app: str, _state: ProjectState) -> Iterator[str]:
    yield "the released code may write rows that a new constraint refuses, or rely on one that is removed"


def _code(_operation: Any, _app: str, _state: ProjectState) -> Iterator[str]:
    yield "what it does to rows of the released code is unknown"


def _add_field(operation: Any, _app: str, _state: ProjectState) -> Iterator[str]:
    field = operation.field
    if field.unique and not field.null:
        yield "the released code would write the same value twice"
    if not may_be_left_out(field):
        yield "the released code inserts rows without it: it needs null=True or db_default"


def may_be_left_out(field: models.Field[Any, Any]) -> bool:
    """Whether a row can be inserted without this column."""
    return field.many_to_many is True or field.null or field.db_default is not NOT_PROVIDED or bool(field.generated)


def _alter_field(operation: Any, app: str, state: ProjectState) -> Iterator[str]:
    old, new = state.models[app, operation.model_name_lower].fields[operation.name], operation.field
    if old.null != new.null:
        yield "null is changed: the released code writes nulls, or cannot read them"
    if new.unique and not old.unique:
        yield "the released code may write the same value twice"
    if old.db_column != new.db_column:
        yield "the column gets another name"
    if _is_narrower(old, new):
        yield "the type of the column changes to one that does not hold every value of the old one"
    if old.db_default is not NOT_PROVIDED and new.db_default is NOT_PROVIDED:
        yield "the released code may rely on db_default, which is removed"


def _is_narrower(old: Any, new: Any) -> bool:
    kinds = old.get_internal_type(), new.get_internal_type()
    if kinds[0] != kinds[1]:
        return kinds not in _WIDER
    before, after = (getattr(field, "max_length", None) or 0 for field in (old, new))
    return bool(after < before) or any(
        getattr(old, name, None) != getattr(new, name, None) for name in ("max_digits", "decimal_places")
    )


def _in_parts(operation: Any, app: str, state: ProjectState) -> Iterator[str]:
    """What only the state forgets stays in the database, so that the next release can drop it."""
    for part in operation.database_operations:
        yield from reasons(part, app, state)
    for part in operation.state_operations:
        if isinstance(part, ops.RemoveField):
            field = state.models[app, part.model_name_lower].fields[part.name]
            if not may_be_left_out(field):
                yield f"new code inserts rows without {part.name}, which stays: first it needs null=True or db_default"
        elif not isinstance(part, ops.DeleteModel):
            yield f"{type(part).__name__} in the state alone is unknown"


_JUDGES: Final[dict[type[Operation], Callable[[Any, str, ProjectState], Iterator[str]]]] = {
    ops.CreateModel: _nothing,
    ops.AddIndex: _nothing,
    ops.RemoveIndex: _nothing,
    ops.RenameIndex: _nothing,
    ops.AlterModelOptions: _nothing,
    ops.AlterModelManagers: _nothing,
    ops.AlterModelTableComment: _nothing,
    ops.AddField: _add_field,
    ops.AlterField: _alter_field,
    ops.RemoveField: _gone,
    ops.RenameField: _gone,
    ops.RenameModel: _gone,
    ops.DeleteModel: _gone,
    ops.AlterModelTable: _gone,
    ops.AddConstraint: _constraint,
    ops.RemoveConstraint: _constraint,
    ops.AlterUniqueTogether: _constraint,
    ops.RunPython: _code,
    ops.RunSQL: _code,
    ops.SeparateDatabaseAndState: _in_parts,
}
