"""Rules of an incident: one confirmation of many runs is no weaker than each of theirs."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

STARTING, CONFIRMED = "backend.operations.incidents.starting", "backend.operations.incidents.confirmed"
CONFIRM, APPROVE = "backend.operations.incidents.services.confirm", "backend.operations.incidents.services.approve"
SEQUENCE = "backend.operations.incidents.sequence"
ON_SEQUENCE = "tests.backend.incidents.test_sequence"
ON_APPROVALS_OF_ALL = "tests.backend.incidents.test_approvals"

PRIORITY, DISPATCH, ON_PRIORITY = (
    "backend.common.priority", "backend.operations.runs.services.dispatch", "tests.backend.execution.test_priority",
)  # fmt: skip
PLANNING, ON_MANY = "backend.core.incidents.planning", "tests.backend.incidents.test_many_plans"

INCIDENT_RULES = (
    OuterRule(
        "a_worker_keeps_its_last_process_for_operators",
        PRIORITY,
        "return processes > 1 and busy >= processes - 1",
        "return False",
        f"{ON_PRIORITY}::test_worker__everything_waits__operators_first_and_one_process_is_kept",
        "forty runs of an incident hold every process, and an operator's failover waits for one of them to end",
    ),
    OuterRule(
        "what_an_operator_starts_is_taken_first",
        DISPATCH,
        "priority=_priority_of(run_id), retry=False",
        "priority=Priority.BACKGROUND, retry=False",
        f"{ON_PRIORITY}::test_run__of_each_priority__is_dispatched_and_dispatched_again_at_it",
        "an operator's run waits behind the rehearsals of every link",
    ),
    OuterRule(
        "few_plans_at_a_time_search_one_cluster",
        PLANNING,
        "if all(searches[cluster] < most_of_a_cluster for cluster in plan.clusters):",
        "if True:",
        f"{ON_MANY}::test_plans__of_one_cluster__two_at_a_time_and_the_others_say_so",
        "the plans of forty links read the logs of the surviving hub at once, while it carries production alone",
    ),
    OuterRule(
        "a_plan_that_fails_keeps_no_other_from_being_made",
        "backend.operations.incidents.dispatch",
        "    try:\n        planning.plan_item(item_id)\n    finally:\n        dispatch_plans()\n",
        "    planning.plan_item(item_id)\n    dispatch_plans()\n",
        f"{ON_MANY}::test_plans__the_first_fail__the_others_are_made",
        "one link without a plan holds up those behind it until a monitor comes by",
    ),
    OuterRule(
        "an_incident_starts_nothing_after_a_failure",
        STARTING,
        "if str(item.pk) not in decision_of(incident).start:",
        "if False:",
        f"{ON_SEQUENCE}::test_failure__between_decision_and_start__not_started",
        "a site that is not lost is failed over on every link, because the first failure came a second late",
    ),
    OuterRule(
        "an_incident_is_confirmed_by_the_digest_of_all",
        CONFIRM,
        "if digest != digest_over(incident, items):",
        "if False:",
        f"{ON_SEQUENCE}::test_confirm__wrong_digest_or_name__refused",
        "an operator confirms plans, losses or a limit that no operator has read",
    ),
    OuterRule(
        "an_incident_repeats_every_attestation_by_link",
        CONFIRM,
        "        _check_attestations(items, attestations)\n",
        "",
        f"{ON_SEQUENCE}::test_confirm__an_attestation_is_missing_or_too_many__refused",
        "a site is taken for fenced on all links, because it was attested for one",
    ),
    OuterRule(
        "an_incident_starts_what_the_console_confirmed",
        STARTING,
        "if not is_genuine(incident):",
        "if False:",
        f"{ON_SEQUENCE}::test_confirm__set_to_running_by_hand__starts_nothing",
        "a writer to the console's database starts runs in a user's name",
    ),
    OuterRule(
        "who_confirmed_an_incident_may_still_run_it",
        STARTING,
        "if (link := refusing_user(incident.confirmed_by, Permission.RUN, plan, token_id=token_id)) is not None:",
        "if False:",
        f"{ON_SEQUENCE}::test_start__who_confirmed_may_not_run_any_more__not_started",
        "an incident starts runs for a user whose right to run was taken away",
    ),
    OuterRule(
        "an_approval_of_all_is_by_a_second_person",
        APPROVE,
        "        check_person(user, (found.confirmed_by, *behind), own=own, since=found.confirmed_at or found.created_at)\n",
        "",
        f"{ON_APPROVALS_OF_ALL}::test_approve__who_confirmed_or_wrong_digest__refused",
        "one person confirms and approves every run of an incident",
    ),
    OuterRule(
        "an_approval_of_all_is_made_by_the_console",
        CONFIRMED,
        'return found if is_mac_of(found.mac, "incident approval", *_approval_parts(found)) else None',
        "return found",
        f"{ON_APPROVALS_OF_ALL}::test_approval__written_by_something_else__counts_for_nothing",
        "a writer to the console's database approves every run of an incident",
    ),
    OuterRule(
        "a_stopped_incident_leaves_no_run_to_approve",
        SEQUENCE,
        '            run_withdraw(actor=actor, run=run, comment=f"Incident {incident.name} starts nothing more.")\n',
        "            pass\n",
        f"{ON_APPROVALS_OF_ALL}::test_stopped_or_aborted__a_waiting_run_ends__nobody_can_approve_it_later",
        "an approval that comes late starts a run of an incident that was stopped",
    ),
    OuterRule(
        "a_stop_names_a_link_to_its_own_readers_alone",
        SEQUENCE,
        'name = failed.link.name if item.link_id == failed.link_id else "another link"',
        "name = failed.link.name",
        f"{ON_SEQUENCE}::test_failure__of_one__nothing_more_is_started",
        "who reads one link of an incident learns which other link failed",
    ),
)
