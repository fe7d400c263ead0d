"""Rules of an incident: one confirmation of many runs is no weaker than each of theirs."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

STARTING, CONFIRMED = "backend.incidents.starting", "backend.incidents.confirmed"
CONFIRM, APPROVE = "backend.incidents.services.confirm", "backend.incidents.services.approve"
SEQUENCE = "backend.incidents.sequence"
ON_SEQUENCE = "tests.backend.incidents.test_sequence"
ON_APPROVALS_OF_ALL = "tests.backend.incidents.test_approvals"

INCIDENT_RULES = (
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
        "if user_who_may(incident.confirmed_by, Permission.RUN, item.link_id) is None:",
        "if False:",
        f"{ON_SEQUENCE}::test_start__who_confirmed_may_not_run_any_more__not_started",
        "an incident starts runs for a user whose right to run was taken away",
    ),
    OuterRule(
        "an_approval_of_all_is_by_a_second_person",
        APPROVE,
        "        check_person(user, (found.confirmed_by,), own=own, since=found.confirmed_at or found.created_at)\n",
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
)
