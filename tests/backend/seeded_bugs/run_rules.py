"""Rules of the run's record and of the workers that carry it."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

CLAIM, STORE = "backend.runs.execution.claim", "backend.runs.execution.store"
EXECUTION, DECIDE = "backend.runs.execution.driver", "backend.runs.services.decisions"
KEEPING = "backend.runs.execution.transition_recorder"
ON_STORE, ON_RUNS = "tests.backend.execution.test_store", "tests.api.test_runs"
ON_OPEN, ON_SUPERSEDED = "tests.backend.execution.test_open_statements", "tests.backend.execution.test_superseded"

RUN_RULES = (
    OuterRule(
        "only_a_process_seen_to_be_dead_loses_its_run_within_its_lease",
        CLAIM,
        "return lapsed | Q(owner=owner) if owner and is_gone(owner) else lapsed",
        "return lapsed | Q(owner=owner)",
        f"{ON_STORE}::test_claim__free_run__once_until_the_lease_lapses",
        "two workers carry one run at once",
    ),
    OuterRule(
        "a_pid_means_nothing_on_another_machine",
        "backend.common.process_owner",
        "or not parts[3] or parts[3] != _pid_namespace():",
        ":",
        "tests.backend.common.test_process_owner::test_is_gone__claimed_on_another_machine_or_in_another_container__never",
        "a living worker of another machine loses its run within its lease",
    ),
    OuterRule(
        "a_held_run_is_claimed_by_nobody_else",
        CLAIM,
        "free.filter(epoch=found.epoch).update(",
        "Run.objects.filter(pk=self.run_id, epoch=found.epoch, state__in=states.CLAIMABLE).update(",
        f"{ON_STORE}::test_claim__free_run__once_until_the_lease_lapses",
        "two workers carry one run at once",
    ),
    OuterRule(
        "a_claim_opens_a_new_epoch",
        CLAIM,
        "epoch=found.epoch + 1,\n                authorization=authorization_of(found, epoch=found.epoch + 1),",
        "authorization=authorization_of(found, epoch=found.epoch),",
        f"{ON_STORE}::test_stale_epoch__every_write__raises_and_changes_nothing",
        "a worker that slept past its lease goes on beside its successor (I11)",
    ),
    OuterRule(
        "every_write_names_the_epoch",
        CLAIM,
        "pk=self.run_id, epoch=self.epoch, state=RunState.RUNNING.value)",
        "pk=self.run_id, state=RunState.RUNNING.value)",
        f"{ON_STORE}::test_stale_epoch__every_write__raises_and_changes_nothing",
        "a worker that slept past its lease writes into its successor's record (I11)",
    ),
    OuterRule(
        "an_ended_run_is_written_no_more",
        CLAIM,
        "epoch=self.epoch, state=RunState.RUNNING.value)",
        "epoch=self.epoch)",
        f"{ON_STORE}::test_end__final_state__frees_the_link_and_nothing_follows",
        "a final state changes (I24)",
    ),
    OuterRule(
        "a_lapsed_lease_sends_nothing",
        CLAIM,
        "self._mine().filter(lease_until__gt=Now())",
        "self._mine()",
        f"{ON_STORE}::test_check__lease_lapsed_and_nobody_came__is_still_refused",
        "a worker whose lease lapsed sends in the moment in which a successor claims",
    ),
    OuterRule(
        "the_lease_is_read_again_before_the_statement_leaves",
        KEEPING,
        '        fault_injection.reach("after-intent", step.index)\n        self._store.check()\n',
        '        fault_injection.reach("after-intent", step.index)\n',
        f"{ON_OPEN}::test_intent__lease_lapsed_while_the_worker_slept__the_statement_does_not_leave",
        "a worker that slept before its intent sends after its lease",
    ),
    OuterRule(
        "an_intent_is_stored_before_the_statement_leaves",
        KEEPING,
        "self._record_intent(transition)",
        "pass",
        f"{ON_OPEN}::test_statement__sent_again_after_a_look__the_first_is_told_as_nothing",
        "what a worker sent as it was killed is not in the record",
    ),
    OuterRule(
        "a_successor_ends_the_session_of_its_predecessor",
        EXECUTION,
        "for statement in self._store.open_statements()",
        "for statement in ()",
        f"{ON_SUPERSEDED}::test_takeover__statement_of_the_worker_before__its_session_is_ended_first",
        "a predecessor's statement takes effect behind its successor's look (I11)",
    ),
    OuterRule(
        "nothing_goes_forward_while_a_session_may_live",
        EXECUTION,
        "        if not self._left:",
        "        if True:",
        f"{ON_SUPERSEDED}::test_takeover__session_of_the_worker_before_does_not_end__goes_backwards_only",
        "a predecessor's statement still runs while its successor sends (I11)",
    ),
    OuterRule(
        "the_sessions_of_a_superseded_run_are_ended",
        EXECUTION,
        "for statement in self._store.superseded_statements():",
        "for statement in ():",
        f"{ON_SUPERSEDED}::test_successor__statement_of_the_superseded_run__its_session_is_ended_first",
        "a statement of the run before takes effect in the middle of this one",
    ),
    OuterRule(
        "an_abort_granted_first_keeps_the_way_back_open",
        STORE,
        ".filter(abort_requested_at=None)",
        "",
        f"{ON_RUNS}::test_abort__running__is_asked_for_once",
        "a run whose abort was granted passes its point of no return (I9)",
    ),
    OuterRule(
        "behind_the_point_of_no_return_no_abort_is_granted",
        DECIDE,
        "pk=run.pk, point_of_no_return_passed=False, abort_requested_at=None)",
        "pk=run.pk, abort_requested_at=None)",
        f"{ON_RUNS}::test_abort__past_the_point_of_no_return__409_names_the_ways_forward",
        "an abort is promised that cannot be kept (I9)",
    ),
    OuterRule(
        "a_plan_of_other_steps_is_not_walked",
        "backend.runs.planning.stored_plan",
        "    if not is_current_version(plan):",
        "    if False:",
        "tests.backend.execution.test_plan_versions::test_drive__run_of_another_version__handed_over_with_nothing_sent",
        "a worker of another version walks steps that mean something else to it",
    ),
    OuterRule(
        "who_lost_the_right_starts_nothing",
        "backend.runs.execution.beginning",
        "if not requester_may_run(run):",
        "if False:",
        f"{ON_STORE}::test_claim__requester_disabled_before_anything_was_sent__ends_the_run",
        "a run begins for a user who was disabled",
    ),
    OuterRule(
        "a_writer_sends_only_what_a_run_may_send",
        "backend.gateway.writer",
        "        if not is_changing(sql):",
        "        if False:",
        "tests.gateway.test_writer::test_execute__statement_no_run_sends__nothing_is_sent",
        "any statement may leave over a session that may change a node",
    ),
    OuterRule(
        "what_is_pointed_is_remembered_before_it_is_sent",
        KEEPING,
        "            record_intent(self._run, step)\n",
        "            pass\n",
        "tests.backend.execution.test_open_statements::test_intent__of_a_point__is_remembered_before_the_statement_leaves",
        "the worker that pointed a node is killed with it, and the node returns with an unknown channel",
    ),
    OuterRule(
        "a_run_that_its_workers_die_of_is_not_tried_for_ever",
        EXECUTION,
        "        if self._run.lost_workers > MAX_LOST_WORKERS:",
        "        if False:",
        "tests.backend.execution.test_lost_workers::"
        "test_workers__die_one_after_the_other__a_person_is_told_where_and_what_to_look_for",
        "one worker after the other fails at the same log, and the link stays taken",
    ),
    OuterRule(
        "a_place_proven_anew_is_no_step_further",
        STORE,
        'run_changes = {"lost_workers": 0} if self._is_further(index, state) else None',
        'run_changes = {"lost_workers": 0}',
        "tests.backend.execution.test_lost_workers::test_workers__die_behind_what_each_proves_again__are_not_forgotten_for_that",
        "workers die for ever behind a place that each of them proves again",
    ),
    OuterRule(
        "a_worker_told_to_end_lets_go_of_its_run",
        "backend.runs.execution.worker_shutdown",
        "    if told_at_s and time.monotonic() - told_at_s >= FINISH_WITHIN_S:",
        "    if False:",
        "tests.backend.execution.test_worker_shutdown::test_clock__told_to_end_long_ago__no_wait_begins",
        "a worker is killed in the middle of a statement, because it waits for its run without limit",
    ),
)
