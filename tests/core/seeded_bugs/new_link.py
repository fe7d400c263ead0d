"""The safety rules of a link whose channels are created, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green

_PLAN, _EQUAL = "plans.create_channels", "equal_data.comparison"


def _is_true(core: Copy, test: str, *given: Any) -> bool:
    return is_green(core, "plans.test_create_channels", test, *given)


def _unread_never_equal(core: Copy) -> bool:
    return is_green(core, "equal_data.test_equal_data", "test_differences__checksum_unknown_on_both__never_equal")


RULES = (
    Rule(
        "a_new_link_has_no_replica_older_than_its_source",
        (
            (
                "plans.create_channels",
                "import check_version_of_new_link",
                "import check_version as check_version_of_new_link",
            ),
        ),
        lambda core: _is_true(
            core,
            "test_plan__not_a_new_link__refused_by_name",
            core["tests.core.plans.test_create_channels"]._older,
            "replica_older",
        ),
    ),
    Rule(
        "a_link_that_has_a_channel_gets_no_second_one",
        (("plans.create_channels", "    check_no_channel,\n", ""),),
        lambda core: _is_true(
            core,
            "test_plan__not_a_new_link__refused_by_name",
            core["tests.core.plans.test_create_channels"]._channel,
            "channel_exists",
        ),
    ),
    Rule(
        "rows_that_differ_begin_no_replication",
        ((_EQUAL, "    if first.checksum != second.checksum:\n", "    if False:\n"),),
        lambda core: _is_true(core, "test_run__a_row_of_one_side_alone__found_and_everything_reverted", "b2"),
    ),
    Rule(
        "unread_rows_are_never_equal",
        ((_EQUAL, "        if table.checksum is None:\n", "        if False:\n"),),
        _unread_never_equal,
    ),
    Rule(
        "both_sides_are_fenced_while_they_are_compared",
        ((_PLAN, "    for cluster in ctx.clusters:\n", "    for cluster in ():\n"),),
        lambda core: _is_true(
            core,
            "test_plan__equal_sides__compared_under_the_fence_of_both_and_opened_before_the_channels_begin",
        ),
    ),
    Rule(
        "a_log_that_grew_while_compared_is_no_proof",
        (("steps.verification.equal_data", "if before != after or", "if"),),
        lambda core: _is_true(core, "test_run__logs_grow_while_equal_tables_are_read__found"),
    ),
    Rule(
        "channels_begin_where_the_data_was_compared",
        (("steps.positions.log_end", "if why := _written_since_the_comparison(ctx, source_id, end) or", "if why :="),),
        lambda core: _is_true(
            core,
            "test_run__written_between_the_comparison_and_the_position__found_and_everything_reverted",
            "b2",
        ),
    ),
    Rule(
        "a_successor_reads_the_logs_end_again",
        (("runner.runner", '        "locate_log_end",\n', ""),),
        lambda core: _is_true(core, "test_run__written_while_no_worker_ran__successor_finds_it"),
    ),
)

PREVENTS = {
    "a_link_that_has_a_channel_gets_no_second_one": "a second channel applies every transaction twice",
    "rows_that_differ_begin_no_replication": "two sides with different rows replicate, and the difference stays",
    "unread_rows_are_never_equal": "tables that cannot be read on either side count as equal",
    "both_sides_are_fenced_while_they_are_compared": "rows change between the checksum of one side and of the other",
    "a_log_that_grew_while_compared_is_no_proof": "a write during the comparison is on one side only",
    "channels_begin_where_the_data_was_compared": "a write after the comparison is skipped by the channel",
    "a_successor_reads_the_logs_end_again": "a write while no worker ran is skipped by the channel",
}
