"""Rules of a node's maintenance outside the core: a freeze is always ended, and only its own."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

WATCH, UNFREEZE = "backend.adviser.maintenance.watch", "backend.adviser.maintenance.unfreeze"
TESTS = "tests.api.test_node_maintenance"

MAINTENANCE_RULES = (
    OuterRule(
        "a_run_that_died_leaves_no_donor_frozen",
        WATCH,
        "    if row.stage == Stage.PREPARING:",
        "    if False:",
        f"{TESTS}::test_watch__the_run_ended_before_the_stop_was_allowed__donor_unfrozen",
        "a donor keeps every write-set until its disk is full",
    ),
    OuterRule(
        "a_maintenance_is_over_once_its_donor_is_unfrozen",
        WATCH,
        "row.stage == Stage.CLOSING and end_freeze(row, now)",
        "row.stage == Stage.CLOSING",
        f"{TESTS}::test_watch__its_time_is_over__unfrozen",
        "a donor keeps every write-set until its disk is full",
    ),
    OuterRule(
        "only_a_freeze_of_its_own_is_ended",
        UNFREEZE,
        "return value != NOT_FROZEN and value == str(seqno)",
        "return value != NOT_FROZEN",
        f"{TESTS}::test_unfreeze__frozen_by_somebody_else__left_alone",
        "the freeze of another operator is ended, and the node waited for needs an SST",
    ),
    OuterRule(
        "the_unfreeze_reaches_the_planned_server",
        UNFREEZE,
        "        if another is not None:",
        "        if False:",
        f"{TESTS}::test_unfreeze__another_server_at_the_address__nothing_is_sent",
        "a statement reaches a server that no plan named",
    ),
)
