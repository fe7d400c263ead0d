"""A plan that changes settings rests on the other runs of its cluster, and on settings that were named once."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.plans import configure
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.planning.configuration import other_run_finding
from tests.support.console import Caller, core_plan, make_link, store_plan

SETTING = {"name": "evs.send_window", "value": "512"}


def _unfinished(link: Link, kind: str, state: RunState) -> Run:
    plan = store_plan(link, core_plan(link))
    return Run.objects.create(
        plan=plan, link=link, unfinished_link=link.id, kind=kind, state=state.value, created_at=timezone.now()
    )


def test_other_run__none__no_finding(link: Link) -> None:
    assert other_run_finding(link, link.active_cluster_id) is None


def test_other_run__switch_that_stopped_for_an_operator__refuses(link: Link) -> None:
    run = _unfinished(link, "switchover", RunState.NEEDS_OPERATOR)
    found = other_run_finding(link, link.active_cluster_id)
    assert found is not None
    assert (found.code, found.facts) == ("cluster_run_unfinished", {"run_id": run.id})


def test_other_run__change_of_settings_that_stopped__may_be_replaced(link: Link) -> None:
    _unfinished(link, configure.KIND, RunState.NEEDS_OPERATOR)
    assert other_run_finding(link, link.active_cluster_id) is None


@pytest.mark.parametrize("state", [RunState.WAITING_APPROVAL, RunState.RUNNING, RunState.NEEDS_OPERATOR])
def test_other_run__of_another_link_of_the_cluster__refuses(link: Link, state: RunState) -> None:
    other = Link.objects.create(
        name="invoices", active_cluster=link.standby_cluster, standby_cluster=link.active_cluster
    )
    _unfinished(other, "configure", state)
    found = other_run_finding(link, link.active_cluster_id)
    assert found is not None
    assert "invoices" in found.message


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"side": "both"}, "side"),
        ({"settings": [SETTING, SETTING]}, "settings"),
        ({"settings": [{"name": "evs.send_window; x", "value": "1"}]}, "settings"),
    ],
)
def test_plan__option_of_a_bad_form__400_naming_the_field(
    operator: Caller, options: dict[str, Any], field: str
) -> None:
    answer = operator.post(f"/links/{make_link().id}/plans", {"kind": "configure", "options": options})
    assert answer.status == 400
    assert answer.body["errors"][0]["field"].startswith(f"options.{field}")


def test_plan__no_settings__400_says_what_to_send(operator: Caller) -> None:
    answer = operator.post(f"/links/{make_link().id}/plans", {"kind": "configure"})
    assert answer.status == 400
    assert "side" in str(answer.body)
