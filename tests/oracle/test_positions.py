"""The positions oracle: the locator's answer against full logs compared by brute force, on the hardest worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given

from backend.core.checks.nodes import check_state_uuid
from backend.core.findings import is_refused
from backend.core.positions import FilePosition
from tests.core.builders.examples import examples
from tests.core.builders.worlds import Recipe, ask, build, recipes, wrong
from tests.fakes.driver import context_of
from tests.oracle.features import features, too_rare
from tests.oracle.valid import is_valid, needs_one_order

pytestmark = pytest.mark.core
POSITIONS = 500
MOST_REFUSED = 0.01
"""Of valid cases."""
LEAST_BY_GTID = 0.1
"""Of proven positions."""
TOLD = ("examples", "positions", "valid", "proven", "wrong", "refused", "incarnations")
"""`refused`: of valid cases; `incarnations`: links refused because a cluster is another than the one recorded."""


def test_oracle__any_logs__never_wrong_and_hardly_ever_refused_without_need(
    record_property: Callable[[str, object], None],
) -> None:
    told = Counter(dict.fromkeys(TOLD, 0))
    seen: Counter[str] = Counter()

    @examples(POSITIONS)
    @given(recipes(is_rich=True))
    def look(recipe: Recipe) -> None:
        told["examples"] += 1
        world = build(recipe)
        names = features(recipe, world)
        seen.update(names)
        if any(cluster.uuid != cluster.recorded_uuid for cluster in (world.a, world.b)):
            assert is_refused(check_state_uuid(context_of(world, recipe.source, recipe.replica)))
            told["incarnations"] += 1
        for question, located in ask(world, recipe.source, recipe.replica):
            if needs_one_order(recipe, world, question.direction):
                told["left out, a node with another commit order"] += 1
                continue
            told["positions"] += 1
            valid = is_valid(recipe, world, question)
            told["valid"] += valid
            if located.is_proven:
                told["proven"] += 1
                told["proven by GTID"] += "gtid_position" in located.facts
                told.update(f"proven, {name}" for name in names)
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
        worlds = Counter({f"worlds, {name}": number for name, number in seen.items()})
        for name, number in {**told, **worlds}.items():
            record_property(f"located {name}", number)
    assert told["valid"] >= told["positions"] / 20, "too few valid cases to say anything of refusals"
    assert told["refused"] <= MOST_REFUSED * told["valid"], told
    assert told["proven by GTID"] >= LEAST_BY_GTID * told["proven"], told
    assert not too_rare(seen, told["examples"]), f"too few of {told['examples']} worlds"
