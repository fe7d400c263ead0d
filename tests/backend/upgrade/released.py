"""The migrations of the last released version, in a file that a release writes.

`HAWSER_DEBUG=1 .venv/bin/python -m tests.backend.upgrade.released` writes it: after the tag, never before.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from django.db.migrations.loader import MigrationLoader

from backend.config.backup.schema import Migrations

PAGE: Final = Path(__file__).with_name("released.json")


def released_migrations() -> Migrations:
    """All migrations of the last release."""
    return migrations_in(PAGE)


def migrations_in(path: Path) -> Migrations:
    """All migrations that such a file names."""
    return [(app, name) for app, names in json.loads(path.read_text())["migrations"].items() for name in names]


def released_version() -> str:
    """The last release; "none" before the first one."""
    return str(json.loads(PAGE.read_text())["version"])


def newer_migrations(loader: MigrationLoader, released: Migrations) -> Migrations:
    """Migrations after the release, in the order in which they are applied."""
    known, newer = set(released), []
    for leaf in loader.graph.leaf_nodes():
        for key in loader.graph.forwards_plan(leaf):
            if key not in known:
                known.add(key)
                newer.append(key)
    return newer


def written(version: str) -> str:
    """The file for a release of the migrations that there are now."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationLoader(None).graph.nodes):
        found.setdefault(app, []).append(name)
    return json.dumps({"version": version, "migrations": found}, indent=1) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    import django

    django.setup()
    from django.conf import settings

    PAGE.write_text(written(settings.HAWSER_VERSION))
