"""The positions oracle: the locator's answer against full logs compared by brute force, on the hardest worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given

from backend.core.checks.nodes import check_state_uuid
from backend.core.findings import is_refused
from backend.core.positions import FilePosition
from tests.core.builders.examples import examples, hunted
from tests.core.builders.worlds import Recipe, ask, build, recipes, wrong
from tests.fakes.plans import context_of
from tests.oracle.features import features, too_rare
from tests.oracle.valid import is_valid, needs_one_order

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
    counts = Counter(dict.fromkeys(TOLD, 0))
    seen: Counter[str] = Counter()

    @examples(POSITIONS)
    @given(recipes(is_rich=True))
    def judge(recipe: Recipe) -> None:
        counts["examples"] += 1
        world = build(recipe)
        names = features(recipe, world)
        seen.update(names)
        if any(cluster.uuid != cluster.recorded_uuid for cluster in (world.a, world.b)):
            assert is_refused(check_state_uuid(context_of(world, recipe.source, recipe.replica)))
            counts["incarnations"] += 1
        for question, located in ask(world, recipe.source, recipe.replica):
            if needs_one_order(recipe, world, question.direction):
                counts["left out, a node with another commit order"] += 1
                continue
            counts["positions"] += 1
            valid = is_valid(recipe, world, question)
            counts["valid"] += valid
            if located.is_proven:
                counts["proven"] += 1
                counts["proven by GTID"] += "gtid_position" in located.facts
                counts.update(f"proven, {name}" for name in names)
                assert isinstance(located.position, FilePosition)
                why = wrong(world, located)
                counts["wrong"] += why is not None
                assert why is None
            else:
                counts["refused"] += valid
                assert located.reasons

    try:
        judge()
    finally:
        worlds = Counter({f"worlds, {name}": number for name, number in seen.items()})
        for name, number in {**counts, **worlds}.items():
            record_property(f"located {name}", number)
    assert counts["valid"], "no case in which it must find the position"
    assert counts["proven"], "no answer that could be wrong"
    if hunted(POSITIONS) < POSITIONS:
        return  # so few worlds have not a share of everything
    assert counts["valid"] >= counts["positions"] / 20, "too few valid cases to say anything of refusals"
    assert counts["refused"] <= MOST_REFUSED * counts["valid"], counts
    assert counts["proven by GTID"] >= LEAST_BY_GTID * counts["proven"], counts
    assert not too_rare(seen, counts["examples"]), f"too few of {counts['examples']} worlds"
