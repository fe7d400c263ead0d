"""An old holder is back with its channel, not cleaned yet, when the new holder fails: which channel counts?"""

from __future__ import annotations

from dataclasses import replace

from backend.core.link_facts import LinkFacts
from backend.core.plans import remove_stray_channel
from backend.core.plans.target import current_holder, current_pair
from backend.core.topology import Direction
from tests.core.builders.link_facts import context, down, link, refusing, with_second
from tests.fakes.plans import sound


def left_behind() -> LinkFacts:
    """The forward channel was moved from b2, which returned, to b1, which is down."""
    facts = down(with_second(link(), "b2"), "b1")
    recorded = tuple(
        replace(r, left_on=frozenset({"n_b2"})) if r.direction is Direction.FORWARD else r for r in facts.recorded
    )
    return replace(facts, recorded=recorded)


def test_main_holder__only_the_old_holder_is_seen__it_never_counts_again() -> None:
    assert current_holder(left_behind(), Direction.FORWARD) is None
    assert current_pair(left_behind())[1] == "n_b1"


def test_main_holder__moved_back_there_by_a_run__counts() -> None:
    facts = left_behind()
    back = tuple(replace(r, replica_node_id="n_b2") for r in facts.recorded if r.direction is Direction.FORWARD)
    holder = current_holder(replace(facts, recorded=back), Direction.FORWARD)
    assert holder is not None
    assert holder.replica.node.name == "b2"


def test_relocate__old_holder_runs__refused_until_it_is_cleaned() -> None:
    assert "second_channel" in refusing(context(left_behind()))


def test_clean__holder_unseen__the_old_one_is_cleaned_and_nothing_else() -> None:
    plan = sound(remove_stray_channel.decide(context(left_behind()), (), {}))
    assert {step.node for step in plan.steps if step.sql} == {"b2"}
