"""Random worlds of channels with SOURCE_AUTO_POSITION=1: what is proven is right by the position and by the sets."""

from __future__ import annotations

import pytest
from hypothesis import given

from backend.core.locate.model import Located
from tests.core.builders import worlds
from tests.core.builders.examples import examples
from tests.core.builders.worlds import Recipe, ask, build, recipes, wrong
from tests.fakes.mysql_world import MysqlWorld
from tests.fakes.world import FakeWorld


def wrongly_sent(world: FakeWorld, located: Located) -> set[int]:
    """Of the stream: what the source would send though it was applied, or would not although it was not."""
    source = world.source_cluster(located.direction)
    replica = next(node for node in world.nodes if node.name == located.read_from)
    executed, received = replica.log.executed(), set(world.received(located.direction))
    stream = (p for p in world.node(located.node).log.placed if p.txn.server_id in source.server_ids)
    return {p.txn.uid for p in stream if p.txn.uid in source.uids and (p.gtid in executed) != (p.txn.uid in received)}


@given(recipes())
@examples(60)
def test_locate__any_world__proven_only_where_the_sets_send_what_is_missing(recipe: Recipe) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worlds, "FakeWorld", MysqlWorld)
        world = build(recipe)
    for _, located in ask(world, recipe.source, recipe.replica):
        if located.is_proven:
            assert wrong(world, located) is None
            assert wrongly_sent(world, located) == set()
