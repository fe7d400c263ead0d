"""The tables of the console at the migrations that its database, or an archive, has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.migrations.graph import Node
from django.db.migrations.loader import MigrationLoader

from backend.common import unfinished_restore
from backend.config.backup.errors import BackupError

Migrations = list[tuple[str, str]]
NOT_DATA: Final = frozenset(
    {
        "common_processheartbeat",
        "monitoring_clusterowner",
        "monitoring_monitorlease",
        "monitoring_monitorprocess",
    }
)
"""Tables that say which process works now. They are neither backed up nor restored."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its columns in a fixed order, and its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


def applied_migrations(loader: MigrationLoader) -> Migrations:
    """The applied migrations, sorted; BackupError if this code does not know one of them."""
    applied = squashed(loader, (key for key in loader.applied_migrations if key[0] != unfinished_restore.APP))
    if unknown := unknown_migrations(loader, applied):
        raise BackupError(
            f"The database has migrations that this version does not know ({unknown}). Use the version that made them"
        )
    return applied


def squashed(loader: MigrationLoader, migrations: Iterable[tuple[str, str]]) -> Migrations:
    """The migrations, sorted, with each squashed one for those that it replaces if all of them are there."""
    found = set(migrations)
    for key, migration in loader.replacements.items():
        if found.issuperset(migration.replaces):
            found = found.difference(migration.replaces) | {key}
    return sorted(found)


def unknown_migrations(loader: MigrationLoader, wanted: Iterable[tuple[str, str]]) -> str:
    """Names of migrations that this code does not have; blank if it has all."""
    return ", ".join(f"{app}.{name}" for app, name in wanted if (app, name) not in loader.graph.nodes)


def last_of(loader: MigrationLoader, migrations: Migrations) -> Migrations:
    """Those of the migrations that no other one of them follows."""
    known = set(migrations)
    nodes: dict[tuple[str, str], Node] = loader.graph.node_map
    return [key for key in migrations if not any(child.key in known for child in nodes[key].children)]


def tables_at(loader: MigrationLoader, migrations: Migrations) -> list[Table]:
    """The tables that these migrations make, by name."""
    state = loader.project_state(last_of(loader, migrations))
    models = state.apps.get_models(include_auto_created=True)
    return sorted((_table_of(model) for model in models if _is_table(model)), key=lambda table: table.name)


def _is_table(model: Any) -> bool:
    meta = model._meta  # noqa: SLF001 - Django's own word
    return meta.managed and not meta.proxy and not meta.swapped and meta.db_table not in NOT_DATA


def _table_of(model: Any) -> Table:
    meta = model._meta  # noqa: SLF001 - Django's own word
    key = tuple(field.column for field in meta.pk_fields)
    return Table(meta.db_table, tuple(field.column for field in meta.local_concrete_fields), key)
