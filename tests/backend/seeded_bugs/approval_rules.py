"""Rules of approvals by several persons, and of the change calendar."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

AUTHORIZATION, APPROVERS = (
    "backend.operations.runs.execution.authorization",
    "backend.operations.runs.services.approvers",
)
LOST = "tests.backend.two_persons.test_lost_rights"
STARTS = "tests.backend.change_calendar.test_starts"
SEVERAL, PAGE = "tests.backend.two_persons.test_several_approvals", "tests.api.test_approvals"

APPROVAL_RULES = (
    OuterRule(
        "a_worker_counts_all_approvals",
        AUTHORIZATION,
        "    if left := _missing(run, given):\n"
        "        needed = f\"The run needs {pluralize(left, 'more approval')} of other persons.\"\n"
        '        return Refusal("not_approved", needed, is_tampering=True)\n'
        "    return _why_approver_lost(run, given)\n",
        "    return None\n",
        f"{SEVERAL}::test_claim__one_of_two_approvals_is_forged__refused",
        "one forged row stands for the approvals of several persons",
    ),
    OuterRule(
        "an_approval_ends_with_the_right_of_its_approver",
        AUTHORIZATION,
        "if is_running or approver_may_approve(one)]",
        "]",
        f"{LOST}::test_approve__approver_before_lost_the_right__still_missing",
        "a dismissed approver is still one of the persons who let a run begin",
    ),
    OuterRule(
        "a_worker_asks_for_the_rights_of_the_approvers",
        AUTHORIZATION,
        "    if not left:\n        return None\n",
        "    return None\n",
        f"{LOST}::test_claim__approver_lost_the_right__refused_and_not_as_tampering",
        "a run begins on the approval of somebody who was dismissed while it was queued",
    ),
    OuterRule(
        "a_request_ends_with_its_token",
        "backend.operations.runs.held_permissions",
        "    if token_id:\n",
        "    if False:\n",
        f"{LOST}::test_claim__token_of_the_request_revoked__refused",
        "a stolen token is revoked, and the run that it requested begins all the same",
    ),
    OuterRule(
        "an_approval_is_bound_to_its_token",
        AUTHORIZATION,
        'return (f"token {token_id}",) if token_id else ()',
        "return ()",
        f"{LOST}::test_claim__token_written_over_by_hand__refused",
        "a writer to the console's database makes a request or an approval outlive its revoked token",
    ),
    OuterRule(
        "a_compromised_token_takes_its_requests_back",
        "backend.identity.accounts.token_services",
        "for withdraw in _WITHDRAWALS if is_compromised else ():",
        "for withdraw in ():",
        f"{LOST}::test_compromised_token__what_it_asked_for_ends_and_what_it_approved_waits_on",
        "what a thief requested goes on waiting for a person who does not know of the theft",
    ),
    OuterRule(
        "a_released_run_keeps_its_rule",
        AUTHORIZATION,
        "return () if run.approval_rule is None else (rule.needed, *rule.approvers)",
        "return ()",
        f"{SEVERAL}::test_claim__one_approval_taken_away_and_the_rule_lowered__refused",
        "a writer to the console's database lowers the number of approvals of a released run",
    ),
    OuterRule(
        "one_person_approves_once",
        APPROVERS,
        "return why_not_decide(user, run) or _why_already(user, run)",
        "return why_not_decide(user, run)",
        f"{SEVERAL}::test_approve__same_person_under_a_name_that_looks_the_same__refused",
        "one approver counts as two",
    ),
    OuterRule(
        "only_named_approvers_approve",
        APPROVERS,
        "if not ApprovalRule.from_json(run.approval_rule).names(user.username, are_one_person):",
        "if False:",
        f"{SEVERAL}::test_approve__not_among_the_named__refused",
        "an approver of another team releases the run",
    ),
    OuterRule(
        "a_weaker_rule_waits",
        "backend.operations.approval_rules.services",
        "if wanted.is_weaker_than(before) and link.requires_approval and not _begins_now(actor, link, wanted):",
        "if False:",
        f"{PAGE}::test_rule__lowered__waits_for_a_second_administrator",
        "one administrator lowers the number of approvals, starts a run and sets it back",
    ),
    OuterRule(
        "a_freeze_refuses_a_start",
        "backend.operations.runs.services.calendar",
        "if found and not reason:",
        "if False:",
        f"{STARTS}::test_start__planned_in_a_freeze__refused_with_the_freeze_and_its_end",
        "a switchover is started inside a change freeze by mistake",
    ),
    OuterRule(
        "a_worker_asks_the_calendar",
        "backend.operations.runs.execution.beginning",
        "    if judged.standing:",
        "    if False:",
        f"{STARTS}::test_worker__freeze_begins_after_the_start__nothing_is_sent",
        "a run that waited for its approval begins inside a freeze",
    ),
    OuterRule(
        "an_override_is_of_one_plan_and_person",
        "backend.operations.change_calendar.selectors",
        'return row if row is not None and is_mac_of(row.mac, "calendar_override", *override_parts(row)) else None',
        "return row",
        f"{STARTS}::test_worker__override_in_another_name__nothing_is_sent",
        "a writer to the console's database overrides the change calendar in another's name",
    ),
    OuterRule(
        "an_override_covers_what_it_saw",
        "backend.operations.change_calendar.selectors",
        "        standing=tuple(one for one in found if one.sentence not in seen),\n",
        "        standing=() if override is not None else found,\n",
        f"{STARTS}::test_override__a_freeze_was_declared_afterwards__objects_anew",
        "a run begins inside a freeze that was declared after its calendar had been overridden",
    ),
    OuterRule(
        "only_some_roles_override_the_calendar",
        "backend.operations.runs.services.calendar",
        "if reason and not may_on_link(user, Permission.OVERRIDE_CALENDAR, link_id):",
        "if False:",
        f"{PAGE}::test_freeze__planned_operation__refused_and_overridden_by_an_approver",
        "any operator overrides a change freeze",
    ),
    OuterRule(
        "an_override_by_break_glass_is_told_as_a_blocker",
        "backend.operations.change_calendar.services",
        'severity="blocker" if is_break_glass else "warning"',
        'severity="warning"',
        f"{STARTS}::test_break_glass__in_a_freeze__needs_a_reason_and_warns_more_severely",
        "a freeze is overridden where no role was asked, and who is called for blockers alone does not hear of it",
    ),
)
