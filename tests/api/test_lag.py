"""The lag of a link over time: what is answered, in which resolution, and what is refused with which remedy."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.monitoring.lag_history import request
from backend.monitoring.models import LagBucket, LagProgress, LagSample
from tests.support.console import Caller


def text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def lag(link: Link, **query: object) -> str:
    return f"/links/{link.id}/lag?{urlencode(query)}"


def export(link: Link, **query: object) -> str:
    return f"/links/{link.id}/lag/export?{urlencode(query)}"


@pytest.fixture
def now(link: Link) -> datetime:
    """The time of the newest of five samples, one of them with an unknown lag; a bucket is from 20 days before."""
    moment = timezone.now().replace(microsecond=0)
    if moment.minute % 10 == 0 and moment.second < 5:  # all five in one bucket
        moment -= timedelta(seconds=5)
    LagSample.objects.bulk_create(
        LagSample(
            link=link,
            at=moment - timedelta(seconds=age),
            forward_gap=gap,
            forward_lag_s=1,
            reverse_gap=0,
            reverse_lag_s=0,
            state_rank=0 if gap is not None else 20,
        )
        for age, gap in ((4, 10), (3, 20), (2, None), (1, 40), (0, 50))
    )
    zero = {f"{name}_known": 0 for name in ("forward_gap", "forward_lag_s", "reverse_gap", "reverse_lag_s")}
    LagBucket.objects.create(
        link=link, width_s=600, at=moment.replace(minute=0, second=0) - timedelta(days=20), samples=600, **zero
    )
    LagProgress.objects.create(width_s=600, rolled_until=moment - timedelta(hours=1))
    return moment


def test_lag__minutes__names_its_resolution_and_where_data_begins(admin: Caller, link: Link, now: datetime) -> None:
    events.raised(link_id=link.id, kind="run.started", severity="info", message="Started", run_id="r_1", actor="anna")
    answer = admin.get(lag(link, minutes=5)).body
    assert (answer["resolution_s"], answer["stored_resolution_s"]) == (1, 1)
    assert answer["begins_at"] == text(now.replace(minute=0, second=0) - timedelta(days=20))
    assert [point["forward_gap"] for point in answer["points"]] == [10, 20, None, 40, 50]
    assert [point["forward_gap_unknown"] for point in answer["points"]] == [0, 0, 1, 0, 0]
    assert [point["state"] for point in answer["points"]][1:3] == ["protected", "unknown"]
    assert [(m["label"], m["severity"], m["run_id"], m["actor"]) for m in answer["events"]] == [
        ("Started", "info", "r_1", "anna")
    ]


def test_lag__ninety_days__as_many_points_as_fit_and_unknown_is_null(admin: Caller, link: Link, now: datetime) -> None:
    answer = admin.get(lag(link, minutes=90 * 1440, points=100)).body
    assert (answer["resolution_s"], answer["stored_resolution_s"]) == (86_400, 600)
    first, last = answer["points"][0], answer["points"][-1]
    assert (first["samples"], first["forward_gap"], first["forward_gap_unknown"]) == (600, None, 600)
    assert (last["forward_gap"], last["forward_gap_min"], last["forward_gap_max"]) == (30, 10, 50)


def test_export__of_one_direction__has_its_columns_only(admin: Caller, link: Link, now: datetime) -> None:
    answer = admin.get(export(link, direction="reverse", resolution=1))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert link.name in answer.headers["Content-Disposition"]
    lines = list(csv.DictReader(answer.body.splitlines()))
    assert len(lines) == 5
    assert lines[0]["at"] == text(now - timedelta(seconds=4))
    assert [name for name in lines[0] if name.startswith("forward")] == []
    assert lines[0]["reverse_gap"] == "0.0"


def test_lag__from_and_to__are_the_time_of_the_points(admin: Caller, link: Link, now: datetime) -> None:
    asked = {"from": text(now - timedelta(seconds=3)), "to": text(now - timedelta(seconds=1))}
    answer = admin.get(lag(link, **asked, resolution=1)).body
    assert [point["forward_gap"] for point in answer["points"]] == [20, None]
    assert (answer["from"], answer["to"]) == (asked["from"], asked["to"])


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"minutes": 5, "from": "2026-01-01T00:00:00Z"}, "minutes", "Leave out minutes"),
        ({"to": "2026-01-01T00:00:00Z"}, "from", "together with to"),
        ({"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}, "to", "after from, which is 2026-01-02"),
        ({"from": "2999-01-01T00:00:00Z"}, "from", "in the future"),
        ({"from": "yesterday"}, "from", "Datetime has wrong format"),
        ({"minutes": 0}, "minutes", "greater than or equal to 1"),
        ({"resolution": 7}, "resolution", "not a valid choice"),
        ({"minutes": 1440 * 40, "resolution": 1}, "resolution", "stored for 1 h, and from is before that. Use 600"),
        ({"direction": "sideways"}, "direction", "not a valid choice"),
        ({"since": "2026-01-01T00:00:00Z"}, "since", "This call takes: direction, from"),
    ],
)
def test_lag__asked_wrongly__400_names_field_and_remedy(
    admin: Caller, link: Link, query: dict[str, object], field: str, message: str
) -> None:
    answer = admin.get(lag(link, **query))
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)
    assert message in answer.body["errors"][0]["message"]


def test_lag__more_points_than_one_answer_has__400_and_export_goes(
    admin: Caller, link: Link, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "MAX_POINTS", 100)
    refused = admin.get(lag(link, minutes=30 * 1440, resolution=600))
    assert (refused.status, refused.body["errors"][0]["field"]) == (400, "resolution")
    assert "at most 100" in refused.body["detail"]
    assert len(admin.get(export(link, minutes=30 * 1440)).body.splitlines()) == 3
