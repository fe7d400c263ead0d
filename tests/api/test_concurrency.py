"""Commits over a distance, by the API: the model's figures, and refusals by the name of the field."""

from __future__ import annotations

import pytest

from backend.adviser.concurrency import cluster_figures as cluster_concurrency
from backend.clusters.models import Link
from tests.api.write_readings import stored
from tests.core.advice.configurations import cluster as configuration
from tests.core.advice.configurations import distant, with_status
from tests.support.console import Caller


def test_concurrency__three_sites__one_and_a_half_round_trips(viewer: Caller) -> None:
    query = "delays_ms=0,25,25;25,0,25;25,25,0&wanted_per_s=100&write_set_bytes=1048576&own_rate_per_s=2000"
    answer = viewer.get(f"/concurrency?{query}").body
    assert [(one["latency_ms"], one["round_trips"]) for one in answer["sites"]] == [(75.0, 1.5)] * 3
    assert answer["sites"][0]["way"] == [1, 2, 3, 1]
    assert answer["rates"][0] == {"writers": 1, "low_per_s": 12.82, "high_per_s": 12.82}
    assert answer["writers_needed"] == {"writers": 12, "reason": ""}
    assert answer["write_set_ms"] == pytest.approx(1_283, abs=1)
    first = answer["table"][0]
    assert (first["article_s"], first["lab_s"], first["model_s"]) == (0.268, 0.88, None)


def test_concurrency__no_distance__no_number(viewer: Caller) -> None:
    answer = viewer.get("/concurrency?delays_ms=0,0;0,0&wanted_per_s=5").body
    assert answer["rates"][0]["low_per_s"] is None
    assert answer["sites"][0]["round_trips"] is None
    assert answer["writers_needed"]["writers"] is None
    assert answer["writers_needed"]["reason"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "delays_ms"),
        ("delays_ms=fast", "delays_ms"),
        ("delays_ms=0,-1;1,0", "delays_ms[1][2]"),
        ("delays_ms=0,nan;1,0", "delays_ms[1][2]"),
        ("delays_ms=0,1;1,0&writer=3", "writer"),
        ("delays_ms=0,1;1,0&writer=0", "writer"),
        ("delays_ms=0,1;1,0&send_window=1", "send_window"),
        ("delays_ms=0,1;1,0&wanted_per_s=0", "wanted_per_s"),
        ("delays_ms=0,1;1,0&own_rate_per_s=-5", "own_rate_per_s"),
        ("delays_ms=0,1;1,0&write_set_bytes=-5", "write_set_bytes"),
    ],
)
def test_concurrency__absurd__refused_by_the_name_of_the_field(viewer: Caller, query: str, field: str) -> None:
    answer = viewer.get(f"/concurrency?{query}")
    assert answer.status == 400
    assert [one["field"] for one in answer.body["errors"]] == [field]


def test_cluster__running_and_far_away__figures_answers_and_the_form(
    operator: Caller, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = stored(link)
    silent = {"wsrep_evs_repl_latency": "0/0/0/0/0"}
    names = tuple(node.name for node in nodes)
    read = with_status(distant(configuration(*names)), silent, on=names[1]).nodes
    monkeypatch.setattr(cluster_concurrency, "read_configurations", lambda _: list(read))
    answer = operator.get(f"/clusters/{link.active_cluster_id}/concurrency").body
    first, second, _ = answer["nodes"]
    assert first["latency"] == {"min_ms": 50.2, "mean_ms": 51.7, "max_ms": 62.9, "samples": 50}
    assert first["answers"]["rates"][0] == {"writers": 1, "low_per_s": 18.6, "high_per_s": 19.23}
    assert (second["latency"], second["answers"]) == (None, None)
    assert second["latency_reason"].endswith("Read again while it writes.")
    assert answer["written"]["commits_per_s"] == pytest.approx(1 / 1200, abs=1e-3)
    assert answer["given"]["one_way_ms"] == 25.0
    assert (answer["given"]["from_node"], answer["given"]["send_window"]) == (names[0], 2)


def test_cluster__nodes_down__each_unknown_and_nothing_for_the_form(operator: Caller, link: Link) -> None:
    answer = operator.get(f"/clusters/{link.active_cluster_id}/concurrency").body
    assert all(node["latency_reason"] and node["answers"] is None for node in answer["nodes"])
    assert answer["written"]["reason"]
    assert set(answer["given"].values()) == {None}
