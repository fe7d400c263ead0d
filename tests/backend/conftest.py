"""Suite of the console: models, services, tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fixtures import *  # noqa: F403 - pytest takes fixtures by their names here
from tests.support.markers import check_needs_no_database, mark_below


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands here; what needs no database must not use one."""
    mark_below(Path(__file__).parent, pytest.mark.backend, items)
    check_needs_no_database(items)
