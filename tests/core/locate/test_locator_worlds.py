"""The locator against brute force on random worlds: right or refused, never wrong."""

from __future__ import annotations

from hypothesis import event, given

from backend.core.positions import FilePosition
from tests.core.builders.examples import examples
from tests.core.builders.worlds import Recipe, ask, build, recipes, wrong


@examples(600)
@given(recipes())
def test_locate__any_history_and_loss__right_or_refused(recipe: Recipe) -> None:
    world = build(recipe)
    for question, located in ask(world, recipe.source, recipe.replica):
        event(f"{question.direction}: {'proven' if located.is_proven else 'refused'}")
        if located.is_proven:
            assert isinstance(located.position, FilePosition)
            assert wrong(world, located) is None
        else:
            assert located.reasons
