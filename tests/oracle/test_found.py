"""Worlds that were once answered wrong, as small as they could be made."""

from __future__ import annotations

import pytest

from tests.core.builders.worlds import Recipe, ask, build, wrong

FOUND = {
    "a sample takes the last group of the incarnation before for one of this": Recipe(
        ops=(
            ("write", "a1"),
            ("failed_ddl", "b1"),
            ("uuid", "b", "3", ""),
            ("tick",),
            ("remember",),
            ("write", "b1"),
            ("write", "b1"),
        ),
        after=(("swapped", "b1", "b1"),),
        shift=0,
        has_gtid_mode=False,
        lost=(),
        purged=(),
        source="a1",
        replica="b1",
        is_stopped=False,
    ),
    "one of many alike was applied last, though its number says that it came before": Recipe(
        ops=(("lag", "2"), ("repeat", "a1", "9"), ("failed_ddl", "a1"), ("disorder", "b1")),
        after=(),
        shift=0,
        has_gtid_mode=True,
        lost=(),
        purged=(),
        source="a1",
        replica="b1",
        is_stopped=False,
    ),
}


@pytest.mark.parametrize("recipe", FOUND.values(), ids=FOUND)
def test_oracle__a_world_once_answered_wrong__is_not_again(recipe: Recipe) -> None:
    world = build(recipe)
    answers = [located for _, located in ask(world, recipe.source, recipe.replica) if located.is_proven]
    assert [wrong(world, located) for located in answers] == [None] * len(answers)
