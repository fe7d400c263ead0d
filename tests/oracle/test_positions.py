"""The positions oracle: the locator's answer against full logs compared by brute force, on the hardest worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given

from backend.core.checks.nodes import check_state_uuid
from backend.core.findings import is_refused
from backend.core.positions import FilePosition
from tests.core.hunting import examples
from tests.core.worlds import Recipe, ask, build, recipes, wrong
from tests.fakes.driver import context_of
from tests.oracle.valid import is_valid

pytestmark = pytest.mark.core
POSITIONS = 500
MOST_REFUSED = 0.01
"""Of valid cases."""
TOLD = ("examples", "positions", "valid", "proven", "wrong", "refused", "incarnations")
"""`refused`: of valid cases; `incarnations`: links refused because a cluster is another than the one recorded."""


def test_oracle__any_logs__never_wrong_and_hardly_ever_refused_without_need(
    record_property: Callable[[str, object], None],
) -> None:
    told = Counter(dict.fromkeys(TOLD, 0))

    @examples(POSITIONS)
    @given(recipes(is_rich=True))
    def look(recipe: Recipe) -> None:
        told["examples"] += 1
        world = build(recipe)
        if any(cluster.uuid != cluster.recorded_uuid for cluster in (world.a, world.b)):
            assert is_refused(check_state_uuid(context_of(world, recipe.source, recipe.replica)))
            told["incarnations"] += 1
            return
        for question, located in ask(world, recipe.source, recipe.replica):
            told["positions"] += 1
            valid = is_valid(recipe, world, question)
            told["valid"] += valid
            if located.is_proven:
                told["proven"] += 1
                assert isinstance(located.position, FilePosition)
                why = wrong(world, located)
                told["wrong"] += why is not None
                assert why is None
            else:
                told["refused"] += valid
                assert located.reasons

    try:
        look()
    finally:
        for name, number in told.items():
            record_property(f"located {name}", number)
    assert told["valid"] >= told["positions"] / 20, "too few valid cases to say anything of refusals"
    assert told["refused"] <= MOST_REFUSED * told["valid"], told
