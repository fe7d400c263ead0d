"""The stack upgraded from the tree before the newest migration, by the steps of docs/how-to/upgrade.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.containers import images
from deploy.containers.engine import Engine
from tests.containers import previous
from tests.containers.managed_lab import managed
from tests.containers.production import Production, running

pytestmark = [pytest.mark.whole, pytest.mark.timeout(1800)]


@pytest.fixture
def older(engine: Engine, tmp_path: Path) -> Iterator[Production]:
    """The previous tree's image in the stack, under the tag that the compose file names."""
    commit = previous.commit()
    if not commit:
        pytest.skip("this clone's history has no earlier schema")
    images.build(engine, "console", images.CONSOLE, print, previous.unpack(commit, tmp_path / "tree"))
    (tmp_path / "stack").mkdir()
    try:
        with running(engine, tmp_path / "stack") as production:
            yield production
    finally:
        images.build(engine, "console", images.CONSOLE, print)


def _upgrade(production: Production) -> None:
    images.build(production.stack.engine, "console", images.CONSOLE, print)
    production.stack.compose("stop", "monitor", "worker", "web", limit_s=400)
    production.stack.up()
    production.wait_ready()


def test_upgrade__of_a_stack_with_data__keeps_it_and_moves_on(older: Production, tmp_path: Path) -> None:
    with managed(older, tmp_path / "lab") as site:
        site.relocate(**site.other_source())
        before = site.stored_facts()
        _upgrade(older)
        assert site.stored_facts() == before
        assert "ok" in older.stack.manage("hawser_audit", "verify", "--full")
        site.wait_protected()
        site.relocate(**site.other_source())
        site.judge()
