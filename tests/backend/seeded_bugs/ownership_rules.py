"""Rules of the monitors that share the links: who stores a link, and when it moves."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

LEASES, OWNER, DECISION = (
    "backend.monitoring.ownership.leases",
    "backend.core.ownership.owner",
    "backend.core.ownership.decision",
)
OBSERVED = "backend.monitoring.ownership.observed_nodes"
IN_WORLDS = "tests.sim.shared_links.test_shared_links"
ON_LEASE, ON_TABLE = "tests.monitoring.test_lease", "tests.monitoring.test_ownership"

OWNERSHIP_RULES = (
    OuterRule(
        "a_monitor_stores_only_under_the_epoch_it_polled_under",
        OWNER,
        "if in_force.get(cluster) == epoch",
        "if cluster in in_force",
        f"{ON_LEASE}::test_store__given_back_under_a_new_epoch__nothing_is_stored",
        "a monitor that was frozen writes old facts over those of the owner in between",
    ),
    OuterRule(
        "a_lease_that_lapsed_is_no_lease",
        LEASES,
        "filter(pk=monitor, until__gt=Now())",
        "filter(pk=monitor)",
        f"{ON_LEASE}::test_store__lease_lapsed_meanwhile__nothing_is_stored",
        "a monitor writes what it saw before a pause of any length",
    ),
    OuterRule(
        "a_monitor_of_a_former_version_is_the_only_one_that_stores",
        "backend.monitoring.monitor",
        "            if leases.former_version_stores():",
        "            if False:",
        f"{ON_LEASE}::test_store__monitor_of_a_former_version_leads__it_stores_all_and_this_one_nothing",
        "during an upgrade without downtime two monitors write one record",
    ),
    OuterRule(
        "a_lease_in_force_is_not_claimed",
        LEASES,
        "rows.filter(pk__in=holders, until__lt=Now())",
        "rows.filter(pk__in=holders)",
        f"{ON_TABLE}::test_claim__holder_alive__not_taken",
        "two monitors write one record",
    ),
    OuterRule(
        "a_group_is_claimed_whole",
        LEASES,
        "for group in wanted if all(holders.get(c) in free for c in group) for c in group",
        "for group in wanted for c in group if holders.get(c) in free",
        f"{ON_TABLE}::test_claim__one_of_two_clusters_is_held__neither_is_taken",
        "the two sides of a link get two owners, and neither stores the link",
    ),
    OuterRule(
        "a_link_is_handed_over_once_the_next_owner_has_polled_it",
        DECISION,
        "if owner != me and _is_ready(stored, owner, group):",
        "if owner != me:",
        f"{ON_TABLE}::test_hand_over__next_owner_ready__holds_it_at_once_and_the_former_one_stores_no_more",
        "a new monitor process leaves links without samples until it has connected to their nodes",
    ),
    OuterRule(
        "the_lock_of_a_holder_is_not_deleted",
        LEASES,
        ".exclude(pk__in=holders).delete()",
        ".delete()",
        f"{ON_TABLE}::test_forget_ended__still_a_holder__its_row_stays_because_it_is_the_lock",
        "a monitor that was frozen for an hour stores while another one claims its links",
    ),
    OuterRule(
        "what_was_polled_before_a_takeover_is_not_stored",
        OBSERVED,
        "if n in self.facts and n not in self._awaited",
        "if n in self.facts",
        f"{ON_TABLE}::test_observed__taken_over__stored_from_the_next_result_on",
        "a sample replaces a newer one of the former owner",
    ),
    OuterRule(
        "a_poll_that_began_before_a_takeover_is_not_stored",
        OBSERVED,
        "2 if node_id in running else 1",
        "1",
        f"{ON_TABLE}::test_observed__taken_over_while_a_poll_was_running__its_result_is_not_stored_either",
        "a slow poll of before replaces a newer sample of the former owner",
    ),
    OuterRule(
        "a_first_poll_that_began_before_a_takeover_is_not_stored",
        OBSERVED,
        " | (self._wanted - self._polled.keys())",
        "",
        f"{ON_TABLE}::test_observed__taken_over_during_the_first_poll__its_result_is_not_stored",
        "a poll that took longer than a tick replaces a newer sample of the former owner",
    ),
    OuterRule(
        "a_result_of_a_poll_counts_once",
        OBSERVED,
        "        for node_id in polled.keys() - self._busy:",
        "        for node_id in polled:",
        f"{ON_TABLE}::test_observed__missed_poll_then_one_that_takes_longer_than_a_tick__missed_once",
        "one missed poll is told as a lost node, and one of before a takeover is stored after it",
    ),
    OuterRule(
        "a_takeover_does_not_report_a_node_lost_for_one_missed_poll",
        OBSERVED,
        "        if before is None and 0 < misses < MISSES_BEFORE_DOWN:\n            return",
        "        if False:\n            return",
        f"{ON_TABLE}::test_observed__first_poll_after_a_takeover_missed__no_lost_node_until_the_second",
        "each takeover tells of lost nodes that only answered late",
    ),
    OuterRule(
        "a_monitor_asks_whether_it_still_owns_what_it_stores",
        OWNER,
        "if in_force.get(cluster) == epoch",
        "if cluster in self._epochs",
        f"{IN_WORLDS}::test_world__owners_frozen_between_poll_and_store__no_two_writers",
        "two monitors write one record",
    ),
    OuterRule(
        "what_was_polled_before_a_takeover_waits_in_every_order",
        OBSERVED,
        "if n in self.facts and n not in self._awaited",
        "if n in self.facts",
        f"{IN_WORLDS}::test_world__taken_over_while_it_is_polled__no_older_sample",
        "a sample replaces a newer one of the former owner",
    ),
    OuterRule(
        "a_slow_poll_over_a_takeover_waits_in_every_order",
        OBSERVED,
        "2 if node_id in running else 1",
        "1",
        f"{IN_WORLDS}::test_world__taken_over_while_a_slow_poll_runs__no_older_sample",
        "a slow poll of before replaces a newer sample of the former owner",
    ),
    OuterRule(
        "an_owner_that_does_not_claim_is_not_waited_for",
        DECISION,
        "bool(lapsed) and (owner == me or _is_overdue(stored, lapsed))",
        "bool(lapsed) and owner == me",
        f"{IN_WORLDS}::test_world__monitors_that_start_and_freeze_again_and_again__no_link_without_owner",
        "a monitor that crashes again and again keeps links without an owner while another one works",
    ),
)
