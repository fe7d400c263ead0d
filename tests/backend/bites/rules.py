"""Rules of the engine's outer half: the run's record and its workers, their sessions, the monitor."""

from __future__ import annotations

from tests.backend.bites.rule import OuterRule

STORE, EXECUTION, DECIDE = "backend.runs.store", "backend.runs.execution", "backend.runs.services.decide"
KEEPING = "backend.runs.keeping"
ON_STORE, ON_RUNS = "tests.backend.test_store", "tests.api.test_runs"
ON_OPEN, ON_SUPERSEDED = "tests.backend.test_open_statements", "tests.backend.test_superseded"

RULES = (
    OuterRule(
        "a_held_run_is_claimed_by_nobody_else",
        STORE,
        "Run.objects.filter(free, pk=self.run_id, state__in=states.CLAIMABLE).update(",
        "Run.objects.filter(pk=self.run_id, state__in=states.CLAIMABLE).update(",
        f"{ON_STORE}::test_claim__free_run__once_until_the_lease_lapses",
        "two workers carry one run at once",
    ),
    OuterRule(
        "a_claim_opens_a_new_epoch",
        STORE,
        'epoch=F("epoch") + 1,\n                version=F("version") + 1,\n                # in front',
        'version=F("version") + 1,\n                # in front',
        f"{ON_STORE}::test_stale_epoch__every_write__raises_and_changes_nothing",
        "a worker that slept past its lease goes on beside its successor (I11)",
    ),
    OuterRule(
        "every_write_names_the_epoch",
        STORE,
        "pk=self.run_id, epoch=self.epoch, state=RunState.RUNNING.value)",
        "pk=self.run_id, state=RunState.RUNNING.value)",
        f"{ON_STORE}::test_stale_epoch__every_write__raises_and_changes_nothing",
        "a worker that slept past its lease writes into its successor's record (I11)",
    ),
    OuterRule(
        "an_ended_run_is_written_no_more",
        STORE,
        "epoch=self.epoch, state=RunState.RUNNING.value)",
        "epoch=self.epoch)",
        f"{ON_STORE}::test_end__final_state__frees_the_link_and_nothing_follows",
        "a final state changes (I24)",
    ),
    OuterRule(
        "a_lapsed_lease_sends_nothing",
        STORE,
        "self._mine().filter(lease_until__gt=Now())",
        "self._mine()",
        f"{ON_STORE}::test_check__lease_lapsed_and_nobody_came__is_still_refused",
        "a worker whose lease lapsed sends in the moment in which a successor claims",
    ),
    OuterRule(
        "the_lease_is_read_again_before_the_statement_leaves",
        KEEPING,
        '        faults.reach("after-intent", step.index)\n        self._store.check()\n',
        '        faults.reach("after-intent", step.index)\n',
        f"{ON_OPEN}::test_intent__lease_lapsed_while_the_worker_slept__the_statement_does_not_leave",
        "a worker that slept before its intent sends after its lease",
    ),
    OuterRule(
        "an_intent_is_stored_before_the_statement_leaves",
        KEEPING,
        "self._keep_intent(transition)",
        "pass",
        f"{ON_OPEN}::test_statement__sent_again_after_a_look__the_first_is_told_as_nothing",
        "what a worker sent as it died is not in the record",
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
        "backend.runs.plans",
        "    if not is_of_this_version(plan):",
        "    if False:",
        "tests.backend.test_versions::test_drive__run_of_another_version__handed_over_with_nothing_sent",
        "a worker of another version walks steps that mean something else to it",
    ),
    OuterRule(
        "who_lost_the_right_starts_nothing",
        STORE,
        "or may_request(run)",
        "or True",
        f"{ON_STORE}::test_claim__requester_disabled_before_anything_was_sent__ends_the_run",
        "a run begins for somebody who was disabled",
    ),
    OuterRule(
        "one_monitor_writes",
        "backend.monitoring.lease",
        "MonitorLease.objects.filter(Q(holder=holder) | Q(until__lt=Now()), pk=_ROW)",
        "MonitorLease.objects.filter(pk=_ROW)",
        "tests.monitoring.test_store::test_hold__two_monitors__one_writes_until_its_lease_lapses",
        "two monitors write one record",
    ),
    OuterRule(
        "an_old_picture_claims_nothing",
        "backend.monitoring.selectors",
        "return shown if age <= STALE_AFTER_S else shown | _stale(shown, age)",
        "return shown",
        "tests.monitoring.test_store::test_link_view__monitor_silent__nothing_is_claimed",
        "a link nobody watches is called protected",
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
        "a_channel_that_began_by_itself_is_not_one_that_was_moved",
        "backend.monitoring.store_links",
        "    if left_pointed.keep_due(link, seen):",
        "    if False:",
        "tests.monitoring.test_left_pointed::"
        "test_left_pointed__its_server_came_up_since_and_it_runs__is_to_be_cleaned_and_not_taken_for_moved",
        "a node that a stopped run left pointed comes back, passes for the channel, and a clean takes the run's",
    ),
    OuterRule(
        "a_run_that_its_workers_die_of_is_not_tried_for_ever",
        EXECUTION,
        "        if self._run.lost_workers > MOST_LOST_WORKERS:",
        "        if False:",
        "tests.backend.test_lost_workers::"
        "test_workers__die_one_after_the_other__a_person_is_told_where_and_what_to_look_for",
        "one worker after the other dies of the same log, and the link stays taken",
    ),
    OuterRule(
        "a_place_proven_anew_is_no_step_further",
        STORE,
        'run_changes = {"lost_workers": 0} if self._is_further(index, state) else None',
        'run_changes = {"lost_workers": 0}',
        "tests.backend.test_lost_workers::test_workers__die_behind_what_each_proves_anew__are_not_forgotten_for_that",
        "workers die for ever behind a place that each of them proves again",
    ),
    OuterRule(
        "a_page_of_long_events_is_short",
        "backend.core.locate.events",
        "rows_wanted = _rows_like(rows, page_rows)",
        "rows_wanted = page_rows",
        "tests.core.test_search::test_events__long_ones__a_page_has_few_of_them",
        "a search holds up every commit of the node it reads",
    ),
)
