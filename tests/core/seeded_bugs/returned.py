"""The safety rules of fencing a lost side as it returns."""

from __future__ import annotations

from collections.abc import Callable

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green


def _by(test: str, *given: str) -> Callable[[Copy], bool]:
    return lambda core: is_green(core, "plans.test_fence_returned_side", test, *given)


def _by_why(why: str) -> Callable[[Copy], bool]:
    return _by("test_returned_node__not_of_an_invalidated_side__left_alone", why)


def _survivor_is_asked(core: Copy) -> bool:
    return is_green(core, "plans.test_reprotect_fence", "test_fence__survivor_not_seen__unknown_refuses")


RULES = (
    Rule(
        "the_last_side_that_may_accept_writes_is_not_fenced",
        (("plans.reprotect", "    check_returned_nodes_are_seen,\n    check_survivor_takes_writes,\n", ""),),
        _survivor_is_asked,
    ),
    Rule(
        "only_what_the_failover_said_is_fenced_on_return",
        (("returned_nodes", "        and divergence.fences_on_return\n", ""),),
        _by_why("not_said"),
    ),
    Rule(
        "only_an_invalidated_side_is_fenced_on_return",
        (("returned_nodes", "        and not divergence.is_reconciled\n", ""),),
        _by_why("reconciled"),
    ),
    Rule(
        "a_side_that_takes_writes_by_the_record_is_not_fenced_on_return",
        (("returned_nodes", "        and divergence.lost_cluster_id == link.standby.id\n", ""),),
        _by_why("roles_changed"),
    ),
    Rule(
        "a_side_reconciled_meanwhile_is_not_fenced",
        (("facts.fingerprint", "divergence.is_reconciled if divergence else None", "None"),),
        _by("test_fence_run__the_side_was_reconciled_meanwhile__sends_nothing"),
    ),
    Rule(
        "a_returned_node_is_fenced_once_a_start",
        (("returned_nodes", "    if before.is_closed:\n", "    if False:\n"),),
        _by("test_returned_node__opened_again_after_its_fence__left_alone_until_it_starts_anew"),
    ),
    Rule(
        "a_returned_node_that_starts_anew_is_fenced_anew",
        (("returned_nodes", "not before.is_of_this_start(one.started_at_s)", "False"),),
        _by("test_returned_node__opened_again_after_its_fence__left_alone_until_it_starts_anew"),
    ),
    Rule(
        "a_write_is_tried_on_a_returned_node",
        (("steps.sides.verify_fence", "        if open_nodes:\n", "        if False:\n"),),
        _by("test_fence_run__somebody_opens_the_node_before_it_is_proven__not_taken_for_fenced"),
    ),
    Rule(
        "a_returned_node_that_went_again_is_not_fenced",
        (("steps.sides.verify_fence", "        if gone:\n", "        if False:\n"),),
        _by("test_fence_run__the_node_is_gone_again__not_taken_for_fenced"),
    ),
    Rule(
        "a_returned_node_applies_nothing_of_the_survivor",
        (("plans.builders.fence_steps", " and holder.channel.is_running:\n", " and False:\n"),),
        _by("test_returned_node__writable__closed_its_channel_stopped_its_writes_counted"),
    ),
    Rule(
        "the_digest_holds_the_fence_on_return",
        (
            ("plans.failover", "        fences_on_return=fences_on_return,\n", "        fences_on_return=True,\n"),
            ("plans.failover", ' if fences_on_return else ""),\n', ' if False else ""),\n'),
        ),
        _by("test_failover__as_it_is__says_that_the_lost_side_is_fenced_in_digest_and_summary"),
    ),
)  # fmt: skip

PREVENTS = {
    "the_last_side_that_may_accept_writes_is_not_fenced": "a fence by hand leaves no side that accepts writes",
    "only_what_the_failover_said_is_fenced_on_return": "a side is closed that a person wanted left open",
    "only_an_invalidated_side_is_fenced_on_return": "the channels of a side that is being attached are stopped",
    "a_side_that_takes_writes_by_the_record_is_not_fenced_on_return": "the active side is closed to its clients",
    "a_side_reconciled_meanwhile_is_not_fenced": "a side attached since the plan was made is closed",
    "a_returned_node_is_fenced_once_a_start": "an operator who opens the side is fought over it for ever",
    "a_returned_node_that_starts_anew_is_fenced_anew": "a second return writes orphans unhindered",
    "a_write_is_tried_on_a_returned_node": "a node that accepts writes is called fenced",
    "a_returned_node_that_went_again_is_not_fenced": "a node that was not seen fenced is called fenced",
    "a_returned_node_applies_nothing_of_the_survivor": "the survivor's rows are applied over those of orphans",
    "the_digest_holds_the_fence_on_return": "a side is fenced, or not, other than the person confirmed",
}
