"""When a link was proven, over HTTP: totals of a time and the periods in it, for all who may read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.monitoring import proof
from backend.monitoring.models import ProofPeriod
from tests.support.console import Caller
from tests.support.proof_periods import store_periods

HOUR_S = 3_600.0


def text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def asked(caller: Caller, link: Link, direction: str = "forward", **times: datetime) -> dict[str, Any]:
    query = "&".join([f"direction={direction}", *(f"{name}={text(at)}" for name, at in times.items())])
    (found,) = caller.get(f"/links/{link.id}/proof?{query}").body["directions"]
    return dict(found)


def seconds(found: dict[str, Any]) -> tuple[int, int, int]:
    """Proven, not proven and unrecorded."""
    totals = found["totals"]
    return round(totals["proven_s"]), round(totals["not_proven_s"]), round(totals["unrecorded_s"])


def test_proof__periods_in_a_time__totals_share_and_gaps_with_reason(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    since = store_periods(link, link.standby_cluster, now, ("", HOUR_S), ("unreachable", 60), ("", HOUR_S - 60))
    found = asked(viewer, link, **{"from": since})

    assert seconds(found) == (7_140, 60, 0)
    assert found["proven_share"] == pytest.approx(7_140 / 7_200)
    totals = found["totals"]
    assert (totals["gaps"], totals["transactions"], totals["compared"]) == (1, 200, 80)
    assert [one["cause"] for one in found["periods"]] == [None, "unreachable", None]
    assert found["periods"][1]["sentence"] == "A node at an end of the channel did not respond."
    assert (found["source_cluster"], found["receiving_cluster"]) == (
        link.active_cluster.name,
        link.standby_cluster.name,
    )


def test_proof__periods_that_the_time_cuts__count_for_what_is_inside(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    since = store_periods(link, link.standby_cluster, now, ("", HOUR_S), ("diverged", HOUR_S), ("", HOUR_S))
    times = {"from": since + timedelta(seconds=600), "to": now - timedelta(seconds=60)}
    found = asked(viewer, link, **times)
    assert seconds(found) == (3_000 + 3_540, 3_600, 0)
    assert (found["periods"][-1]["began_at"], found["periods"][0]["ended_at"]) == (
        text(times["from"]),
        text(times["to"]),
    )
    within = asked(viewer, link, **{"from": since + timedelta(seconds=60), "to": since + timedelta(seconds=90)})
    assert (seconds(within), within["proven_share"]) == ((30, 0, 0), 1.0)
    in_gap = asked(viewer, link, **{"from": since + timedelta(seconds=4_000), "to": since + timedelta(seconds=4_060)})
    assert (seconds(in_gap), in_gap["proven_share"]) == ((0, 60, 0), 0.0)


def test_proof__nobody_looks_any_more__a_gap_until_now(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    since = store_periods(link, link.standby_cluster, now - timedelta(seconds=HOUR_S), ("", HOUR_S))
    found = asked(viewer, link, **{"from": since})
    assert seconds(found)[0] == 3_600
    assert seconds(found)[1] >= 3_600
    assert [one["cause"] for one in found["periods"]] == ["nobody_looked", None]
    assert found["totals"]["gaps"] == 1
    later = asked(viewer, link, **{"from": now - timedelta(seconds=1_800)})
    assert (later["proven_share"], later["totals"]["gaps"]) == (0.0, 1)


def test_proof__last_shown_a_moment_ago__the_time_ends_there(viewer: Caller, link: Link) -> None:
    shown = timezone.now() - timedelta(seconds=9)
    since = store_periods(link, link.standby_cluster, shown, ("", HOUR_S))
    found = asked(viewer, link, **{"from": since})
    assert (seconds(found), found["totals"]["until"]) == ((3_600, 0, 0), text(shown))


def test_proof__time_before_the_history_begins__is_not_proven(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    since = store_periods(link, link.standby_cluster, now, ("", HOUR_S))
    found = asked(viewer, link, **{"from": since - timedelta(seconds=3 * HOUR_S)})
    assert (seconds(found), found["proven_share"]) == ((3_600, 0, 10_800), pytest.approx(0.25))
    never = asked(viewer, link, "reverse", **{"from": since})
    assert (never["totals"]["recorded_since"], never["proven_share"], never["periods"]) == (None, 0.0, [])


def test_proof__link_is_younger_than_the_time_or_retired__only_its_own_time_counts(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    since = store_periods(link, link.standby_cluster, now - timedelta(seconds=HOUR_S), ("", HOUR_S))
    Link.objects.update(created_at=since, retired_at=now - timedelta(seconds=HOUR_S))
    found = asked(viewer, link, **{"from": since - timedelta(days=1)})
    assert (seconds(found), found["proven_share"]) == ((3_600, 0, 0), 1.0)


def test_proof__after_a_switchover__the_direction_is_that_of_the_roles_now(viewer: Caller, link: Link) -> None:
    now = timezone.now()
    since = store_periods(link, link.standby_cluster, now, ("", HOUR_S))
    Link.objects.update(active_cluster=link.standby_cluster, standby_cluster=link.active_cluster)
    found = asked(viewer, link, "reverse", **{"from": since})
    assert seconds(found) == (3_600, 0, 0)
    assert found["source_cluster"] == link.active_cluster.name


def test_proof__more_periods_than_are_listed__totals_count_all(
    viewer: Caller, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "MOST_PERIODS", 3)
    since = store_periods(link, link.standby_cluster, timezone.now(), *[("", 90.0), ("log_unread", 30.0)] * 4)
    found = asked(viewer, link, **{"from": since})
    assert (len(found["periods"]), found["left_out"], found["totals"]["gaps"]) == (3, 5, 4)
    assert seconds(found) == (360, 120, 0)


def test_proof__of_many_links__two_queries(link: Link, django_assert_num_queries: Any) -> None:
    now = timezone.now()
    for side in (link.active_cluster, link.standby_cluster):
        store_periods(link, side, now, *[("", 90.0), ("log_unread", 30.0)] * 4)
    with django_assert_num_queries(2):
        totals = proof.proof_totals([link], now - timedelta(seconds=400), now, now)
    assert [one.proven_s for one in totals.values()] == [pytest.approx(280), pytest.approx(280)]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=2999-01-01T00:00:00Z", "from"),
        ("from=2020-01-01T00:00:00Z", "from"),
        ("from=2026-11-30T00:00:00Z&to=2026-11-29T00:00:00Z", "from"),
        ("to=x", "to"),
        ("direction=sideways", "direction"),
        ("days=3", "days"),
    ],
)
def test_proof__time_or_direction_that_cannot_be__refused_and_named(
    viewer: Caller, link: Link, query: str, field: str
) -> None:
    answer = viewer.get(f"/links/{link.id}/proof?{query}")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)


def test_proof__both_directions_of_a_day_without_a_query(viewer: Caller, link: Link) -> None:
    body = viewer.get(f"/links/{link.id}/proof").body
    assert [one["direction"] for one in body["directions"]] == ["forward", "reverse"]
    assert not ProofPeriod.objects.exists()


def test_proof__without_a_session__refused(link: Link) -> None:
    assert Caller().get(f"/links/{link.id}/proof").status == 401
