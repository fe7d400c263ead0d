"""RELEASE.json: which version an archive is, of which commit, and up to which migrations it brings a database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from deploy.release.tree import Tree
from deploy.release.version import VERSION
from deploy.services.process import PYTHON, run

NAME = "RELEASE.json"


def describe(tree: Tree, accepted: Mapping[str, str]) -> dict[str, Any]:
    """The date is the commit's, so that two builds of one commit are equal.

    `accepted` has the reason of each advisory in spite of which the release is made.
    """
    return {
        "name": "hawser",
        "version": VERSION,
        "commit": tree.commit,
        "date": datetime.fromtimestamp(tree.committed_at, UTC).isoformat(),
        "uncommitted_changes": bool(tree.dirty),
        "accepted_advisories": dict(accepted),
        "migrations": newest_migrations(_listed()),
    }


def as_text(description: dict[str, Any]) -> str:
    """The file's text."""
    return json.dumps(description, indent=2, sort_keys=True) + "\n"


def newest_migrations(listed: str) -> dict[str, str]:
    """The last migration of each app, from what `manage.py showmigrations` prints."""
    newest, app = {}, ""
    for line in listed.splitlines():
        if line.startswith(" [") and app:
            newest[app] = line.split("] ", 1)[1].split()[0]
        elif not line.startswith(" "):
            app = line.strip()
    return newest


def _listed() -> str:
    # A database in memory: what is applied somewhere does not matter, only what the code has.
    env = {"HAWSER_DEBUG": "1", "HAWSER_PROCESS": "", "HAWSER_DATABASE_URL": "sqlite:///:memory:"}
    return run([PYTHON, "manage.py", "showmigrations", "--no-color"], env=env)
