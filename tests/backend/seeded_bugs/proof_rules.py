"""Rules of the history of the proof: what begins and ends a time that is called proven."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

CORE, PURE = "backend.core.facts.stream_proof", "tests.core.facts.test_stream_proof"
TOTALS, ASKED = "backend.monitoring.proof", "tests.api.test_proof"
RECORDING, STORED = "backend.monitoring.recording.proof_periods", "tests.monitoring.test_proof_periods"

PROOF_RULES = (
    OuterRule(
        "a_time_in_which_nobody_looked_is_not_proven",
        CORE,
        "        return last, *_next(missed, look)\n",
        "        return _next(replace(last, ended_s=missed.ended_s), look)\n",
        f"{STORED}::test_period__no_monitor_for_longer_than_a_proof_stands__a_gap_in_which_nobody_looked",
        "a night without a monitor stands as proven in the report",
    ),
    OuterRule(
        "a_proof_that_is_late_is_none",
        CORE,
        " or self.now_s - self.until_s > self.within_s\n",
        "\n",
        f"{PURE}::test_proven__not_read_within_the_bound_or_void__over_when_it_last_stood",
        "a direction of which nothing is read any more stays proven",
    ),
    OuterRule(
        "what_is_unknown_is_not_proven",
        CORE,
        "    if look.is_late or look.until_s is None:\n        return _not_proven(last, look)\n",
        "    if look.until_s is None:\n        look = replace(look, account=replace(look.account, since_s=look.now_s, until_s=look.now_s))\n"
        "    if look.is_late or look.until_s is None:\n        return _not_proven(last, look)\n",
        f"{PURE}::test_history__first_look__begins_now_whatever_the_span_says_of_before",
        "a direction of which nothing is known yet counts as proven",
    ),
    OuterRule(
        "transactions_on_one_side_are_no_proof",
        CORE,
        "None if self.is_open or self",
        "None if self",
        f"{PURE}::test_proven__a_transaction_is_on_one_side__over",
        "the time in which the standby side lacks transactions is called proven",
    ),
    OuterRule(
        "what_is_caught_up_with_later_stays_a_gap",
        CORE,
        " and until_s - last.ended_s <= look.within_s:",
        ":",
        f"{PURE}::test_proven__caught_up_with_after_longer_than_the_bound__the_time_between_stays_a_gap",
        "a time in which a failover would have trusted an old proof is called proven",
    ),
    OuterRule(
        "a_proof_ends_with_its_span",
        CORE,
        " and last.since_s == since_s and",
        " and",
        f"{PURE}::test_proven__another_span_stands__one_does_not_go_on_in_the_other",
        "a log that became another one between two looks leaves no gap",
    ),
    OuterRule(
        "a_history_begins_when_it_is_first_recorded",
        CORE,
        "        return (Period(None, until_s, until_s, since_s),)\n",
        "        return (Period(None, since_s or until_s, until_s, since_s),)\n",
        f"{PURE}::test_history__first_look__begins_now_whatever_the_span_says_of_before",
        "pauses in which nothing was proven are called proven after an upgrade",
    ),
    OuterRule(
        "another_log_is_the_reason_of_its_gap",
        RECORDING,
        " or any(tail.is_of_another_log for tail in logs)",
        "",
        f"{STORED}::test_period__a_log_became_another_one__over_with_that_reason",
        "nobody learns from the list of gaps that a log was reset",
    ),
    OuterRule(
        "the_history_of_a_direction_is_that_of_its_clusters",
        RECORDING,
        "        way = tick.seen.source_cluster(view.direction).id, tick.seen.receiving_cluster(view.direction).id\n",
        '        way = {"forward": ("c_a", "c_b"), "reverse": ("c_b", "c_a")}[view.direction.value]\n',
        f"{STORED}::test_period__roles_swapped__that_of_the_same_clusters_goes_on",
        "after a switchover the proof of one direction is told of the other one",
    ),
    OuterRule(
        "a_proof_by_fits_and_starts_fills_no_table",
        RECORDING,
        "        last = _without_brief(last, look)\n",
        "",
        f"{STORED}::test_period__proven_by_fits_and_starts__one_gap_that_counts_none_of_it_as_proven",
        "a log that is read too slowly stores two periods with each look, for 400 days",
    ),
    OuterRule(
        "totals_end_with_the_time_that_is_asked_for",
        TOTALS,
        "        by_direction[row.link_id, row.receiving_cluster_id].proven -= outside\n",
        "",
        f"{ASKED}::test_proof__periods_that_the_time_cuts__count_for_what_is_inside",
        "a month is called proven for more than its days",
    ),
    OuterRule(
        "a_time_that_nobody_looked_at_yet_is_a_gap",
        TOTALS,
        "    until = until if has_tail else looked\n",
        "    until, has_tail = looked, False\n",
        f"{ASKED}::test_proof__nobody_looks_any_more__a_gap_until_now",
        "while no monitor runs the proof says 100 %",
    ),
    OuterRule(
        "a_time_without_a_record_is_not_proven",
        TOTALS,
        "        total_s = self.proven_s + self.not_proven_s + self.unrecorded_s\n",
        "        total_s = self.proven_s + self.not_proven_s\n",
        f"{ASKED}::test_proof__time_before_the_history_begins__is_not_proven",
        "a month of which a day is recorded is called proven",
    ),
)
