"""The safety rules of split sides and of a standby side that takes writes, each taken out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green

_HALVES, _CHECK, _FENCE = "facts.halves", "checks.halves", "link_state.standby_fence"
_LINEAGES, _LOGS, _END = "facts.lineages", "facts.side_logs", "steps.positions.caught_up"
_ALONE = "facts.logged_alone"


def _site(core: Copy, test: str, *given: Any) -> bool:
    return is_green(core, "facts.test_halves", test, *given)


def _fence(core: Copy, test: str, *given: Any) -> bool:
    return is_green(core, "plans.test_fence_standby", test, *given)


def _lineage(core: Copy, test: str) -> bool:
    return is_green(core, "facts.test_lineages", test)


def _numbers(core: Copy, test: str, *given: Any) -> bool:
    return is_green(core, "facts.test_side_logs", test, core["tests.core.facts.test_side_logs"].Side(), *given)


def _refuses(core: Copy, change: str, code: str, severity: str) -> bool:
    level = core["backend.core.findings"].Severity(severity)
    return _site(core, "test_check__side_not_one_component__refuses", change, code, level, "active")


def _lagging_member(core: Copy) -> bool:
    return _site(core, "test_halves__one_component__not_split", *core["tests.core.facts.test_halves"].WHOLE[1])


RULES = (
    Rule(
        "halves_of_a_side_refuse_plans",
        ((_CHECK, "        yield split_finding(cluster)\n", "        yield from ()\n"),),
        lambda core: _refuses(core, "split", "site_is_split", "blocker"),
    ),
    Rule(
        "views_that_differ_refuse_plans",
        ((_CHECK, "        yield views_differ_finding(cluster)\n", "        yield from ()\n"),),
        lambda core: _refuses(core, "differ", "site_views_differ", "unknown"),
    ),
    Rule(
        "a_member_whose_component_is_unknown_refuses_plans",
        ((_CHECK, "    yield from [unread] if unread else ()\n", "    yield from ()\n"),),
        lambda core: _refuses(core, "unread", "membership_unknown", "unknown"),
    ),
    Rule(
        "a_member_that_lags_behind_a_change_is_no_half",
        ((_HALVES, "        return not one.stated & other.stated\n", "        return True\n"),),
        _lagging_member,
    ),
    Rule(
        "halves_agree_only_up_to_the_lower_counter",
        ((_HALVES, "[min(seqnos[x][y], seqnos[y][x])", "[max(seqnos[x][y], seqnos[y][x])"),),
        lambda core: _site(core, "test_common_seqno__last_seen_in_one_view__the_lower_counter"),
    ),
    Rule(
        "a_run_asks_every_member_of_a_side",
        ((_END, "            if is_split(side):\n", "            if False:\n"),),
        lambda core: _site(
            core, "test_switchover__side_splits_before_the_swap__nothing_is_swapped", "verify_caught_up"
        ),
    ),
    Rule(
        "the_end_of_a_side_is_that_of_its_farthest_member",
        ((_END, "held < self._wanted", "False"),),
        lambda core: _site(core, "test_end_of_a_side__source_behind_its_own_cluster__waited_for"),
    ),
    Rule(
        "a_split_side_is_not_verified",
        (("steps.verification.verify", "(link.active, link.standby) if is_split(side)]", "()]"),),
        lambda core: _site(core, "test_switchover__side_splits_after_the_swap__not_verified"),
    ),
    Rule(
        "the_loss_of_a_split_side_is_unknown",
        (("plans.failover", "seen.of_a_part() if", "seen if"),),
        lambda core: _site(core, "test_failover__lost_side_split__warns_and_its_loss_is_unknown"),
    ),
    Rule(
        "a_link_with_a_split_side_is_not_protected",
        (("link_state.derive", "is_lost(side) or is_split(side) for", "is_lost(side) for"),),
        lambda core: _site(core, "test_link__side_split__broken_and_nothing_offered", "standby"),
    ),
    Rule(
        "a_half_is_not_healed_by_membership",
        ((_LINEAGES, " and _is_another_log(self.marks[i], known[i])}", "}"),),
        lambda core: _lineage(core, "test_half__started_again_without_a_transfer__not_healed_by_membership"),
    ),
    Rule(
        "a_member_that_is_not_seen_may_be_the_donor",
        ((_LINEAGES, "        if half.unseen or not set(begun)", "        if not set(begun)"),),
        lambda core: _lineage(core, "test_half__donor_may_be_a_member_that_is_not_seen__undecided_until_it_is"),
    ),
    Rule(
        "a_half_that_may_have_written_is_not_healed_as_quiet",
        (("topology", "self.seqno <= self.common_seqno", "True"),),
        lambda core: _lineage(core, "test_half__started_again_without_a_transfer__not_healed_by_membership"),
    ),
    Rule(
        "a_copy_among_members_that_differ_holds_either",
        ((_LINEAGES, "bool(rest) and not (was_mixed and len(copied) > 1)", "True"),),
        lambda core: _lineage(core, "test_several_copied_at_once_among_members_that_differ__not_healed"),
    ),
    Rule(
        "halves_that_nobody_saw_are_told_by_their_logs",
        (("facts.seen_together", "    if parted is not None:\n", "    if False:\n"),),
        lambda core: _lineage(core, "test_half_that_nobody_saw__logs_differ__named_until_it_is_copied_whole"),
    ),
    Rule(
        "a_number_counts_in_the_order_of_its_log",
        ((_LOGS, "        if strange is not None:\n", "        if False:\n"),),
        lambda core: _numbers(core, "test_transaction_of_one_node__has_the_number_of_an_older_one"),
    ),
    Rule(
        "a_number_counts_once_galera_has_come_so_far",
        ((_LOGS, "if _seqno(group) <= log.last_committed]", "if True]"),),
        lambda core: _numbers(core, "test_seqno__galera_has_not_come_so_far__not_compared"),
    ),
    Rule(
        "a_node_removed_while_away_holds_what_it_held",
        ((_LINEAGES, "(_removed(seen, cluster) | lineages(cluster), ", "(lineages(cluster), "),),
        lambda core: _lineage(core, "test_node_of_a_half__removed_and_registered_anew__holds_what_its_half_wrote"),
    ),
    Rule(
        "a_session_without_galera_is_told",
        ((_LOGS, "                self._out_of_order[node_id] = taken.last\n", "                pass\n"),),
        lambda core: _numbers(
            core, "test_session_without_galera__its_number_is_out_of_order__told_once_others_follow", 12
        ),
    ),
    Rule(
        "a_cluster_that_was_set_back_is_no_session",
        ((_LOGS, " and last <= log.last_committed", ""),),
        lambda core: _numbers(core, "test_cluster_that_was_set_back__numbers_fall__no_session_is_told"),
    ),
    Rule(
        "a_session_is_told_of_its_own_server",
        ((_LOGS, "            if strange.server_id == log.server_id:\n", "            if True:\n"),),
        lambda core: _numbers(
            core, "test_row_that_a_channel_brought_outside_innodb__has_a_number_of_the_node__nothing"
        ),
    ),
    Rule(
        "what_one_node_logged_alone_is_told_where_galera_numbers",
        (
            (
                _LOGS,
                "for log in logs.values() if log is not None})\n",
                "for log in logs.values() if log and with_server_id})\n",
            ),
        ),
        lambda core: _numbers(
            core,
            "test_what_one_node_logged_or_did_not__told_where_galera_numbers",
            dict.fromkeys(("a1", "a2", "a3"), 11),
        ),
    ),
    Rule(
        "what_one_node_logged_alone_is_told",
        ((_ALONE, "        if count > usual:\n", "        if False:\n"),),
        lambda core: _numbers(core, "test_statement_that_one_node_logged__told_of_that_node", "a2", 3),
    ),
    Rule(
        "what_one_node_did_not_log_is_told",
        ((_ALONE, "        elif count < usual:\n", "        elif False:\n"),),
        lambda core: _numbers(core, "test_transaction_that_one_node_did_not_log__told_of_that_node"),
    ),
    Rule(
        "what_a_channel_brought_is_not_compared_by_number",
        ((_ALONE, " if group.server_id in own_ids]", "]"),),
        lambda core: _numbers(core, "test_transaction_of_the_other_side_numbered_in_one_log__nothing"),
    ),
    Rule(
        "a_flush_of_one_node_is_nothing",
        ((_LOGS, "        new = [group for group in read if not group.changes_nothing]", "        new = list(read)"),),
        lambda core: _numbers(core, "test_flush_of_one_node__nothing", "a1"),
    ),
    Rule(
        "a_statement_may_be_logged_a_little_later",
        ((_ALONE, "            if one.looks > LOOKS:\n", "            if True:\n"),),
        lambda core: _numbers(core, "test_statement_behind_the_transaction_that_follows_in_one_log__nothing", "a1"),
    ),
    Rule(
        "statements_are_compared_from_a_transaction_of_all_nodes_on",
        ((_ALONE, " if node_id in self._is_comparable}", "}"),),
        lambda core: _numbers(
            core,
            "test_node_that_was_away__what_it_logs_until_it_is_level_is_not_compared_before",
            pytest.MonkeyPatch(),
        ),
    ),
    Rule(
        "a_stream_that_was_not_proven_lately_is_not_protected",
        (("link_state.derive", " if unproven_finding(link) is None else LinkState.UNPROVEN", ""),),
        lambda core: is_green(
            core,
            "facts.test_proven_stream",
            "test_link__not_proven_for_longer__unproven_and_said",
            *(200.0, 0.0, "cluster-b", "cluster-a", False),
        ),
    ),
    Rule(
        "nodes_of_several_halves_refuse_plans",
        ((_CHECK, "    mixed = mixed_halves_finding(cluster)\n", "    mixed = None\n"),),
        lambda core: _lineage(core, "test_half__returned__refuses_plans_and_the_link_is_not_protected"),
    ),
    Rule(
        "an_undone_fence_is_told",
        ((_FENCE, "    return link.fence_of(link.standby.id) is not None or any(", "    return any("),),
        lambda core: _fence(core, "test_link__fence_undone_on_all__the_run_is_named"),
    ),
    Rule(
        "a_half_fenced_standby_is_told",
        ((_FENCE, "any(map(_is_closed, filter(is_serving, link.standby.nodes)))", "False"),),
        lambda core: _fence(core, "test_link__half_fenced__degraded_and_offered"),
    ),
    Rule(
        "a_fence_that_a_program_undoes_is_not_offered_again",
        ((_FENCE, "    return was_soon and not all(", "    return False and not all("),),
        lambda core: _fence(
            core,
            "test_link__fenced_again_and_undone__offered_unless_a_program_does_it",
            "fence_standby",
            60.0,
            False,
            "blocked",
        ),
    ),
)
PREVENTS = {
    "halves_of_a_side_refuse_plans": "a switchover leaves out what the other half of the old side acknowledged",
    "views_that_differ_refuse_plans": "a plan rests on a cluster that is falling apart",
    "a_member_whose_component_is_unknown_refuses_plans": "a server that writes apart is taken for a member",
    "a_member_that_lags_behind_a_change_is_no_half": "a backup lock refuses every plan as a split",
    "halves_agree_only_up_to_the_lower_counter": "writes of one half are taken for common ones and not exported",
    "a_run_asks_every_member_of_a_side": "the roles are swapped while a half of the old side holds writes of its own",
    "the_end_of_a_side_is_that_of_its_farthest_member": "what the source has not applied yet is taken for not written",
    "a_split_side_is_not_verified": "a run is verified although half of a side never gets the stream",
    "the_loss_of_a_split_side_is_unknown": "a failover states no loss while a half is lost",
    "a_link_with_a_split_side_is_not_protected": "the page says protected of a side of which half is not replicated",
    "a_half_is_not_healed_by_membership": "a half is simply started again, and rows differ under a protected link",
    "a_member_that_is_not_seen_may_be_the_donor": "a node copied from the other half is taken for healed",
    "a_half_that_may_have_written_is_not_healed_as_quiet": "the writes of a half stay on its nodes alone",
    "a_copy_among_members_that_differ_holds_either": "a node copied from the wrong half is taken for healed",
    "halves_that_nobody_saw_are_told_by_their_logs": "a half that was cut off from the console, too, comes back unseen",
    "a_number_counts_in_the_order_of_its_log": "a write of one node alone makes a healthy cluster a split one",
    "a_number_counts_once_galera_has_come_so_far": "a number of a node's own meets the cluster's later one",
    "a_node_removed_while_away_holds_what_it_held": "a split is forgotten with the registration of a node",
    "what_one_node_logged_alone_is_told_where_galera_numbers": "where channels are by GTID, a TRUNCATE of one node stays unseen",
    "what_one_node_logged_alone_is_told": "a TRUNCATE of one node stays unseen, and a move to it is verified",
    "what_one_node_did_not_log_is_told": "a channel that reads its log leaves rows out, and the page says protected",
    "what_a_channel_brought_is_not_compared_by_number": "a SEQUENCE takes the protection of a link away",
    "a_flush_of_one_node_is_nothing": "a certificate is renewed, and switchovers are refused",
    "a_statement_may_be_logged_a_little_later": "an OPTIMIZE TABLE by the channel takes the protection of a link away",
    "statements_are_compared_from_a_transaction_of_all_nodes_on": "a node that comes back is said to differ",
    "a_stream_that_was_not_proven_lately_is_not_protected": "threads run, nobody compares, and the page says protected",
    "nodes_of_several_halves_refuse_plans": "a switchover is verified between nodes whose rows differ",
    "an_undone_fence_is_told": "applications write on both sides, and the page says protected",
    "a_half_fenced_standby_is_told": "one node of the standby takes writes, and the page says protected",
    "a_fence_that_a_program_undoes_is_not_offered_again": "operator and program fight over read_only",
}
