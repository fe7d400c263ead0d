"""An incident in its order: limit, first failure, refusals, expiry, abort, lost messages and dead workers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.identity.accounts.models import User
from backend.operations.incidents import dispatch, services, starting
from backend.operations.incidents.models import Incident, IncidentItem, IncidentState
from backend.operations.runs.models import Plan, Run, RunState
from backend.operations.runs.services import run_start
from tests.support.console import confirmation, make_user
from tests.support.incidents import (
    Workers,
    attesting,
    confirmation_of,
    confirmed,
    finish,
    fresh,
    item,
    opened,
    refused,
    run,
    states,
    touched_link,
    workers,
)

__all__ = ["workers"]
NAMES = ("alpha", "beta", "gamma")


@pytest.fixture
def links(db: None) -> list[Link]:
    make_user("nora", "operator")
    return [touched_link(name, 81 + index, gap=30 - index) for index, name in enumerate(NAMES)]


def _code(**given: Any) -> str:
    with pytest.raises(ProblemError) as problem:
        services.incident_confirm(**given)
    return problem.value.code


def test_confirmed__one_at_once__each_after_the_one_before(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    assert states(incident) == {"alpha": "running", "beta": "waiting", "gamma": "waiting"}
    incident = finish(workers, incident, "alpha")
    assert states(incident) == {"alpha": "succeeded", "beta": "running", "gamma": "waiting"}
    finish(workers, incident, "beta")
    incident = finish(workers, incident, "gamma")
    assert (incident.state, incident.outcome) == ("ended", "3 of 3 operations succeeded.")
    assert workers.most_at_once == 1
    assert run(incident, "beta").reason == "milan is lost (incident Loss of milan)"
    assert AuditRecord.objects.filter(action="api:run:start", actor="nora").count() == 3
    assert Event.objects.filter(data__kind="incident.ended").count() == 3


def test_confirmed__two_at_once__never_three(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers, at_once=2))
    assert states(incident) == {"alpha": "running", "beta": "running", "gamma": "waiting"}
    assert states(finish(workers, incident, "beta"))["gamma"] == "running"
    assert workers.most_at_once == 2


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.NEEDS_OPERATOR])
def test_failure__of_one__nothing_more_is_started(links: list[Link], workers: Workers, state: RunState) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha", state)
    assert incident.state == "stopped"
    assert states(incident) == {"alpha": state.value, "beta": "ready", "gamma": "ready"}
    workers.work()
    assert Run.objects.count() == 1
    stops = Event.objects.filter(data__kind="incident.stopped", data__severity="blocker")
    messages = {link_id: data["message"] for link_id, data in stops.values_list("link_id", "data")}
    assert {link.name: "alpha" in messages[link.pk] for link in links} == {"alpha": True, "beta": False, "gamma": False}
    signal = Event.objects.filter(type="incident.updated").order_by("pk").last()
    assert signal is not None
    assert signal.data["link_ids"] == sorted(link.pk for link in links)


def test_failure__while_others_run__those_end_by_their_own_rules(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers, at_once=2))
    incident = finish(workers, incident, "alpha", RunState.FAILED)
    assert (incident.state, run(incident, "beta").state) == ("stopped", "aborted")
    assert not Run.objects.filter(link__name="gamma").exists()


def test_failure__while_another_has_begun__left_alone(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers, at_once=2))
    Run.objects.filter(link__name="beta").update(state="running", started_at=timezone.now())
    incident = finish(workers, incident, "alpha", RunState.FAILED)
    assert (incident.state, run(incident, "beta").state) == ("stopped", "running")


def test_failure__rule_off__the_next_is_started(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers, stop_at_failure=False))
    incident = finish(workers, incident, "alpha", RunState.FAILED)
    assert (incident.state, states(incident)["beta"]) == ("running", "running")


def test_failure__between_decision_and_start__not_started(links: list[Link], workers: Workers) -> None:
    """A worker that was told to start is late: meanwhile another run failed."""
    incident = confirmed(workers, opened(workers, at_once=2))
    workers.work()
    Run.objects.filter(link__name="beta").update(state="succeeded", unfinished_link=None, ended_at=timezone.now())
    dispatch.advance(incident.id)
    (late,) = workers.taken()
    Run.objects.filter(link__name="alpha").update(state="failed", unfinished_link=None, ended_at=timezone.now())
    starting.start_item(late[1])
    assert not Run.objects.filter(link__name="gamma").exists()
    workers.work()
    assert fresh(incident).state == "stopped"


def test_start__told_twice_or_by_two_workers__one_run(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    first = item(incident, "alpha")
    for _ in range(3):
        starting.start_item(first.pk)
    starting.start_item(item(incident, "beta").pk)
    assert [one.link.name for one in Run.objects.all()] == ["alpha"]


def test_start__worker_dies_or_message_is_lost__another_one_starts_it(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    services.incident_confirm(**confirmation_of(incident))
    dispatch.tick()
    assert len(workers.taken()) == 1
    dispatch.tick()
    assert workers.taken() == []
    IncidentItem.objects.update(dispatched_until=timezone.now() - timedelta(seconds=1))
    workers.work()
    assert states(incident)["alpha"] == "running"


def test_start__worker_dies_after_the_run_was_created__found_again(links: list[Link], workers: Workers) -> None:
    """Nothing but the run itself says that it was started."""
    incident = opened(workers)
    services.incident_confirm(**confirmation_of(incident))
    plan = item(incident, "alpha").plan
    assert plan is not None
    run_start(actor="nora", plan=plan, **confirmation(plan))
    workers.work()
    assert states(incident) == {"alpha": "running", "beta": "waiting", "gamma": "waiting"}
    assert Run.objects.count() == 1


def test_plan__in_two_items__refused_by_the_database(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    plan = item(incident, "alpha").plan
    with pytest.raises(IntegrityError), transaction.atomic():
        IncidentItem.objects.filter(pk=item(incident, "beta").pk).update(plan=plan)


def test_start__facts_changed_meanwhile__needs_a_new_plan_and_stops(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    workers.changed = {"alpha"}
    incident = confirmed(workers, incident)
    assert (incident.state, states(incident)["alpha"]) == ("stopped", "needs_plan")
    assert item(incident, "alpha").problem_code == "facts_changed"
    assert not Run.objects.exists()


def test_start__plan_expired_before_its_turn__needs_a_new_plan_and_stops(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    Plan.objects.filter(link__name="beta").update(expires_at=timezone.now())
    incident = finish(workers, incident, "alpha")
    assert (incident.state, states(incident)["beta"]) == ("stopped", "needs_plan")
    assert Run.objects.count() == 1


def test_start__who_confirmed_may_not_run_any_more__not_started(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    User.objects.filter(username="nora").update(role="viewer")
    Run.objects.update(state="succeeded", unfinished_link=None, ended_at=timezone.now())
    workers.work()
    assert item(incident, "beta").problem_code == "requester_not_permitted"
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    "change", [{"at_once": 3}, {"stop_at_failure": False}, {"confirmed_by": "max"}, {"digest": "0" * 64}]
)
def test_start__rows_changed_by_something_else__refused(
    links: list[Link], workers: Workers, change: dict[str, Any]
) -> None:
    make_user("max", "operator")
    incident = opened(workers)
    services.incident_confirm(**confirmation_of(incident))
    Incident.objects.filter(pk=incident.pk).update(**change)
    workers.work()
    assert item(incident, "alpha").problem_code == "incident_altered"
    assert not Run.objects.exists()


def test_confirm__set_to_running_by_hand__starts_nothing(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    Incident.objects.filter(pk=incident.pk).update(state=IncidentState.RUNNING.value, confirmed_by="nora")
    IncidentItem.objects.update(is_confirmed=True)
    workers.work()
    assert not Run.objects.exists()


def test_confirm__wrong_digest_or_name__refused(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    given = confirmation_of(incident)
    assert _code(**{**given, "digest": "0" * 64}) == "wrong_digest"
    assert _code(**{**given, "confirm": "alpha"}) == "wrong_confirmation"
    services.order_set(actor="nora", incident=incident, at_once=2)
    assert _code(**given) == "wrong_digest"
    assert fresh(incident).state == "planned"
    assert AuditRecord.objects.filter(action="api:incident:refused").count() == 3


def test_confirm__one_plan_expired__refused_and_names_its_link(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    Plan.objects.filter(link__name="beta").update(expires_at=timezone.now())
    with pytest.raises(ProblemError) as problem:
        services.incident_confirm(**confirmation_of(incident))
    assert (problem.value.code, problem.value.detail[:27]) == ("plan_expired", "beta: This plan has expired")
    services.plans_request(actor="nora", incident=incident, options={links[1].id: None})
    workers.work()
    assert states(confirmed(workers, fresh(incident)))["alpha"] == "running"


def test_confirm__an_attestation_is_missing_or_too_many__refused(links: list[Link], workers: Workers) -> None:
    workers.plans = {"beta": attesting}
    incident = opened(workers)
    given = confirmation_of(incident)
    assert [one["option"] for one in given["attestations"]] == ["accept_loss"]
    assert _code(**{**given, "attestations": []}) == "attestation_missing"
    other = {**given["attestations"][0], "link_id": links[0].id}
    assert _code(**{**given, "attestations": [*given["attestations"], other]}) == "attestation_missing"
    assert confirmed(workers, incident).state == "running"


def test_refused_plan__stays_with_its_reasons_at_the_end__and_is_not_started(
    links: list[Link], workers: Workers
) -> None:
    workers.plans = {"alpha": refused}
    incident = opened(workers)
    assert list(states(incident)) == ["beta", "gamma", "alpha"]
    assert states(incident)["alpha"] == "refused"
    incident = confirmed(workers, incident)
    finish(workers, incident, "beta")
    assert finish(workers, incident, "gamma").state == "ended"
    assert not Run.objects.filter(link__name="alpha").exists()


def test_failover__stop_rule_off__refused(db: None, workers: Workers) -> None:
    touched_link("alpha", 81, kind="failover")
    with pytest.raises(ProblemError, match="not fenced"):
        opened(workers, stop_at_failure=False)


def test_order__links_left_out__never_started(links: list[Link], workers: Workers) -> None:
    incident = opened(workers)
    services.order_set(actor="nora", incident=incident, links=[links[2].id, links[0].id])
    incident = confirmed(workers, fresh(incident))
    assert states(incident) == {"gamma": "running", "alpha": "waiting", "beta": "left_out"}


def test_stopped__planned_and_confirmed_again__goes_on_without_what_succeeded(
    links: list[Link], workers: Workers
) -> None:
    incident = finish(workers, confirmed(workers, opened(workers)), "alpha")
    incident = finish(workers, incident, "beta", RunState.FAILED)
    services.plans_request(actor="nora", incident=incident, options={})
    workers.work()
    assert states(incident) == {"alpha": "succeeded", "beta": "ready", "gamma": "ready"}
    incident = confirmed(workers, fresh(incident))
    assert (incident.round, states(incident)["beta"]) == (2, "running")
    assert len(item(incident, "beta").earlier_plans) == 1


def test_confirm__again_while_a_run_is_unfinished__refused(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers, at_once=2))
    Run.objects.filter(link__name="beta").update(state="running", started_at=timezone.now())
    incident = finish(workers, incident, "alpha", RunState.FAILED)
    services.plans_request(actor="nora", incident=incident, options={})
    workers.work()
    assert _code(**confirmation_of(fresh(incident))) == "incident_runs_unfinished"


def test_abort__nothing_new_is_started__and_what_runs_goes_on(links: list[Link], workers: Workers) -> None:
    incident = confirmed(workers, opened(workers))
    Run.objects.update(state="running", started_at=timezone.now())
    services.incident_abort(actor="nora", incident=incident, comment="enough")
    Run.objects.update(state="succeeded", unfinished_link=None, ended_at=timezone.now())
    workers.work()
    assert states(incident) == {"alpha": "succeeded", "beta": "ready", "gamma": "ready"}
    with pytest.raises(ProblemError, match="aborted"):
        services.plans_request(actor="nora", incident=fresh(incident), options={})


def test_plan__worker_dies_while_planning__planned_by_another(links: list[Link], workers: Workers) -> None:
    services.incident_create(actor="nora", scope_kind="site", scope_value="milan")
    dispatch.dispatch_plans()
    assert len(workers.taken()) == len(links)
    dispatch.dispatch_plans()
    assert workers.taken() == []
    IncidentItem.objects.update(planning_until=timezone.now() - timedelta(seconds=1), dispatched_until=None)
    workers.work()
    assert set(states(Incident.objects.get()).values()) == {"ready"}


def test_confirmed_alone__as_usual__counts_as_started(links: list[Link], workers: Workers) -> None:
    """An operator who confirms one plan on its own page takes it out of what the incident starts."""
    incident = opened(workers)
    plan = item(incident, "beta").plan
    assert plan is not None
    run_start(actor="nora", plan=plan, **confirmation(plan))
    assert states(incident)["beta"] == "running"
    assert _code(**confirmation_of(incident)) == "incident_runs_unfinished"
