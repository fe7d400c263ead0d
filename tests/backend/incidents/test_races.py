"""Workers that are told to start everything at the same moment, each over a connection of its own."""

from __future__ import annotations

from functools import partial

from backend.operations.incidents import services, starting
from backend.operations.incidents.items import items_of
from backend.operations.runs.models import Run
from tests.support.concurrently import concurrently
from tests.support.console import make_user
from tests.support.incidents import Workers, confirmation_of, opened, touched_link, workers

__all__ = ["workers"]


def test_start__of_all_items_by_two_workers_each__no_more_than_the_limit_and_in_order(
    emptied: None, workers: Workers
) -> None:
    make_user("nora", "operator")
    for number, name in enumerate(("alpha", "beta", "gamma")):
        touched_link(name, 81 + number, gap=30 - number)
    incident = opened(workers, at_once=2)
    services.incident_confirm(**confirmation_of(incident))
    items = [item.pk for item in items_of(incident.pk)]
    concurrently(*(partial(starting.start_item, item_id) for item_id in items * 2))
    assert [item.problem for item in items_of(incident.pk)] == ["", "", ""]
    assert sorted(run.link.name for run in Run.objects.select_related("link")) == ["alpha", "beta"]
