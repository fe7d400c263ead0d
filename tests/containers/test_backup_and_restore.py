"""The console's database lost and restored from an archive, by the steps of docs/how-to/backup-and-restore.md."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from deploy.containers.engine import Engine
from tests.containers.managed_lab import managed
from tests.containers.production import Production, running

pytestmark = [pytest.mark.whole, pytest.mark.timeout(1800)]


def _backed_up(production: Production, folder: Path) -> Path:
    """The archive that the console's own account writes while everything goes on."""
    folder.mkdir()
    folder.chmod(0o777)  # the user of the image is another one on the host
    _run(production, folder, "monitor", "hawser_backup", "--to", "/backup")
    (archive,) = folder.glob("*.zip")
    return archive


def _run(production: Production, folder: Path, service: str, *command: str) -> str:
    volume = ("--volume", f"{folder}:/backup")
    return production.stack.compose(
        "run", "--rm", "--no-TTY", "--no-deps", *volume, service, "python", "manage.py", *command, limit_s=300
    )


def _restore(production: Production, archive: Path) -> None:
    production.stack.down()
    production.stack.up("mariadb", "redis")
    reason = ("--reason", "volume of the database lost")
    _run(production, archive.parent, "migrate", "hawser_restore", f"/backup/{archive.name}", *reason)
    _run(production, archive.parent, "migrate", "hawser_database_grants", "--apply")
    production.stack.up()
    production.forget_token()
    production.wait_ready()


def test_restore__after_the_database_was_lost__keeps_all_and_moves_on(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "stack").mkdir()
    with running(engine, tmp_path / "stack") as production, managed(production, tmp_path / "lab") as site:
        site.relocate(**site.other_source())
        before, old_token = site.stored_facts(), production.token
        _restore(production, _backed_up(production, tmp_path / "backup"))
        assert replace(site.console, token=old_token).call("GET", "/links").status == 401
        restored = replace(site, console=production.console(site.console.link_id))
        assert restored.stored_facts() == before
        assert "ok" in production.stack.manage("hawser_audit", "verify", "--full")
        restored.wait_protected()
        restored.relocate(**restored.other_source())
        restored.judge()
