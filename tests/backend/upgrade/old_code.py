"""Run as a script over a console's database: does what the released code does with every table.

`write NAME` migrates to that release and inserts a row into each of its tables; `use NAME` reads all rows, changes one
and inserts another. NAME is a file as `released.json`.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import django

SKIPPED: Final = {"audit_auditrecord", "audit_audithead"}
"""One refuses changes, the other has a single row; the audit log's own tests write both."""


def migrate_to(path: Path) -> None:
    """Migrate an empty database to exactly the migrations of that release."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from backend.config.backup.schema import last_of
    from tests.backend.upgrade.released import migrations_in

    executor = MigrationExecutor(connection)
    executor.migrate(last_of(executor.loader, migrations_in(path)))


def old_models(path: Path) -> list[Any]:
    """The models of that release, each after those it refers to."""
    from django.db import connection
    from django.db.migrations.loader import MigrationLoader

    from backend.config.backup.schema import last_of
    from tests.backend.upgrade.released import migrations_in

    loader = MigrationLoader(connection)
    found = loader.project_state(last_of(loader, migrations_in(path))).apps.get_models(include_auto_created=True)
    return list(_ordered([model for model in found if model._meta.db_table not in SKIPPED]))


def _ordered(wanted: list[Any]) -> Iterator[Any]:
    done: set[Any] = set()
    while wanted:
        ready = [model for model in wanted if _refers_to(model) <= done | {model}]
        yield from ready
        done |= set(ready)
        wanted = [model for model in wanted if model not in done]
        if not ready:
            raise AssertionError(f"models refer to each other in a circle: {wanted}")


def _refers_to(model: Any) -> set[Any]:
    return {field.related_model for field in model._meta.local_concrete_fields if field.is_relation}


def insert(models: list[Any], number: int) -> None:
    """One row a table, in all its columns, as the release wrote it."""
    made: dict[Any, Any] = {}
    for model in models:
        fields = [field for field in model._meta.local_concrete_fields if field.get_internal_type() not in _AUTOMATIC]
        made[model] = model(**{field.name: _value(field, number, made) for field in fields})
        made[model].save(force_insert=True)


_AUTOMATIC: Final = {"AutoField", "BigAutoField"}


def _value(field: Any, number: int, made: dict[Any, Any]) -> Any:
    if field.is_relation:
        # Who is assigned a role is a user or a team.
        return None if field.null and field.name == "team" else made.get(field.related_model)
    if field.null:
        return None
    kind = field.get_internal_type()
    now = django.utils.timezone.now() + timedelta(seconds=number)
    texts = {"CharField", "TextField"}
    if kind in texts:
        return f"{number}{field.name}"[: field.max_length or 20]
    moments = {"DateTimeField": now, "DateField": now.date()}
    return moments.get(kind, {"JSONField": {}, "BooleanField": False}.get(kind, number))


def use(models: list[Any]) -> None:
    """Read every row, write one again, insert another."""
    for model in models:
        rows = list(model._default_manager.all())
        assert rows, model._meta.db_table
        rows[-1].save(force_update=True)
    insert(models, 2)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    django.setup()
    verb, file = sys.argv[1], Path(sys.argv[2])
    if verb == "write":
        migrate_to(file)
    known = old_models(file)
    if verb == "write":
        insert(known, 1)
    else:
        use(known)
    sys.stdout.write(f"{len(known)} tables\n")
