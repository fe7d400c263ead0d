"""What a running cluster says of its distance: figures, ranges, and unknown with the reason and the remedy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.adviser.advice.facts import NodeConfiguration
from backend.core.adviser.concurrency.model import Range
from backend.core.adviser.concurrency.running import Answers, Written, farthest, figures
from backend.core.adviser.concurrency.write_sets import WriteSetCost
from backend.core.adviser.network.sql_facts import GroupLatency
from backend.core.estimates import Unknown
from tests.core.advice.configurations import cluster, distant, with_options, with_status, with_variables

WRITTEN = Written(100.0, 1_200.0)
NOT_COUNTED = Unknown("not counted")


def far(**status: str | None) -> NodeConfiguration:
    return with_status(distant(cluster("a1")), status).nodes[0]


def windowed(value: str | None) -> NodeConfiguration:
    return with_options(distant(cluster("a1")), {"evs.user_send_window": value}).nodes[0]


def answers(node: NodeConfiguration, written: Written | Unknown = WRITTEN) -> Answers:
    found = figures(node, written).answers
    assert isinstance(found, Answers)
    return found


def reason(found: object) -> str:
    assert isinstance(found, Unknown)
    return found.reason


def test_figures__a_writing_node_50_ms_away__rates_from_the_mean_to_the_fastest_delivery() -> None:
    one = figures(far(), WRITTEN)
    assert one.latency == GroupLatency(50.2, 51.7, 62.9, 50)
    assert (one.members, one.send_window) == (3, 2)
    rates = dict(answers(far()).rates)
    assert (rates[1].low, rates[1].high) == pytest.approx((1000 / 51.7 / 1.04, 1000 / 50 / 1.04))
    assert (rates[64].low, rates[64].high) == pytest.approx((64_000 / 51.7 / 1.7, 64_000 / 50 / 1.7))


def test_writers__present_rate__from_those_that_may_suffice_to_those_that_do() -> None:
    assert answers(far()).needed == Range(8, 8)
    assert answers(windowed("64")).needed == Range(6, 8)
    assert answers(windowed("512")).needed == Range(6, 6)


def test_write_sets__average_and_largest__messages_round_trips_and_time() -> None:
    found = answers(with_variables(distant(cluster("a1")), {"wsrep_max_ws_size": "1048576"}).nodes[0])
    assert isinstance(found.average, WriteSetCost)
    assert found.average.fragments == 1
    assert isinstance(found.largest, WriteSetCost)
    assert (found.largest.fragments, found.largest.round_trips) == (33, pytest.approx(17.1, abs=0.01))
    assert found.largest.ms.low == pytest.approx(855, abs=1)
    assert found.largest.ms.high > found.largest.ms.low


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (far(wsrep_evs_repl_latency="0/0/0/0/0"), "Read again while it writes"),
        (far(wsrep_evs_repl_latency="nan/1/2/3/4"), "Read again while it writes"),
        (far(wsrep_evs_repl_latency=None), "in no cluster"),
        (far(wsrep_cluster_size=None), "in no cluster"),
        (far(wsrep_cluster_size="1"), "is alone"),
        (NodeConfiguration("n_a1", "a1", error="refused."), "did not answer: refused. Make it reachable"),
    ],
)
def test_latency__no_sample__unknown_with_its_remedy_and_no_answer(node: NodeConfiguration, message: str) -> None:
    found = figures(node, WRITTEN)
    assert message in reason(found.latency)
    assert message in reason(found.answers)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (windowed(None), "does not show evs.user_send_window"),
        (windowed("two"), "does not show evs.user_send_window"),
        (windowed("1"), "set it to that or more"),
        (windowed("70000"), "set it to that or more"),
        (cluster("a1").nodes[0], "the cluster's own rate limits"),
    ],
)
def test_answers__outside_of_the_model__unknown(node: NodeConfiguration, message: str) -> None:
    assert message in reason(figures(node, WRITTEN).answers)


def test_answers__rate_not_counted_or_nothing_written__no_writers_and_no_average() -> None:
    for written, message in ((NOT_COUNTED, "not counted"), (Written(0.0, None), "Nothing was written")):
        found = answers(far(), written)
        assert message in reason(found.needed)
        assert message in reason(found.average)
    for rate, message in ((9e6, "More than 100,000 writers"), (1e9, "more than the model")):
        assert message in reason(answers(far(), Written(rate, 100.0)).needed)
    bare = replace(far(), variables={})
    assert "wsrep_max_ws_size" in reason(answers(bare).largest)


def test_farthest__several_nodes__the_longest_fastest_delivery() -> None:
    near, away, silent = cluster("a1").nodes[0], far(), far(wsrep_evs_repl_latency="0/0/0/0/0")
    found = [figures(node, WRITTEN) for node in (near, away, silent)]
    assert farthest(found) is found[1]
    assert farthest(found[2:]) is None
