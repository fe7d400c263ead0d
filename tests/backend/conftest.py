"""Suite of the console: models, services, tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.backend.seeded_bugs.rules import RULES
from tests.support.fixtures import *  # noqa: F403 - pytest takes fixtures by their names here

OF_FORMS = {"threats", "two_persons"}
"""Folders whose modules try one way after the other around the same rules."""
CATALOGUE = "test_effects.py"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Of these modules `make test` runs what a seeded bug turns red, or the first test, and the whole the others."""
    here, guards = Path(__file__).parent, {rule.check for rule in RULES}
    by_module = defaultdict(list)
    for item in items:
        is_of_forms = item.path.parent.parent == here and item.path.parent.name in OF_FORMS
        if is_of_forms and item.path.name != CATALOGUE:
            by_module[item.path].append(item)
    for of_module in by_module.values():
        kept = [item for item in of_module if _function(here, item) in guards] or of_module[:1]
        for item in of_module:
            if item not in kept:
                item.add_marker(pytest.mark.slow)


def _function(here: Path, item: pytest.Item) -> str:
    """As a rule names its test: MODULE::FUNCTION."""
    module = ".".join(("tests.backend", *item.path.relative_to(here).with_suffix("").parts))
    return f"{module}::{getattr(item, 'originalname', item.name)}"
