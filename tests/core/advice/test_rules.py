"""Each rule: a configuration on which it advises, and that it alone does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.advice import registry
from backend.core.adviser.advice.facts import ClusterConfiguration, LinkConfiguration
from backend.core.adviser.advice.model import Advice
from backend.core.adviser.advice.registry import CLUSTER_RULES, LINK_RULES, cluster_advice, link_advice
from tests.core.advice.configurations import (
    cluster,
    distant,
    link,
    node,
    with_options,
    with_status,
    with_variables,
)
from tests.core.builders.examples import examples


def _pxc(freeze: str) -> ClusterConfiguration:
    nodes = tuple(node(name, flavor="pxc") for name in ("a1", "a2", "a3"))
    return with_options(replace(cluster(), nodes=nodes), {"gcache.freeze_purge_at_seqno": freeze})


BEFORE_30_DAYS = "Jan 31 00:16:39 1970 GMT"
AFTER_30_DAYS = "Jan 31 00:16:40 1970 GMT"
"""The nodes are read at 1,000 s."""
BUSY = {"wsrep_received_bytes": str(40 * 1024**3), "wsrep_received": "30000000"}
CASES: dict[str, Callable[[], ClusterConfiguration]] = {
    "certificate_expires": lambda: with_status(cluster(), {"ssl_server_not_after": BEFORE_30_DAYS}, on="a2"),
    "multicast_prevents_join": lambda: with_options(cluster(), {"gmcast.mcast_addr": "239.192.0.11"}),
    "failure_timeouts_inconsistent": lambda: with_options(cluster(), {"evs.suspect_timeout": "PT1M"}),
    "option_values_differ": lambda: with_options(cluster(), {"evs.suspect_timeout": "PT6S"}, on="a2"),
    "variable_values_differ": lambda: with_variables(cluster(), {"lower_case_table_names": "1"}, on="a2"),
    "log_not_durable": lambda: with_variables(cluster(), {"sync_binlog": "0"}),
    "gcache_small": lambda: with_status(cluster(), BUSY),
    "send_window_small": lambda: with_options(distant(cluster()), {"gmcast.segment": "1"}, on="a3"),
    "send_window_large": lambda: with_options(cluster(), {"evs.send_window": "512", "evs.user_send_window": "512"}),
    "segments_missing": lambda: with_options(
        distant(cluster()), {"evs.send_window": "512", "evs.user_send_window": "512"}
    ),
    "freeze_purge_active": lambda: _pxc("17"),
    "freeze_purge_unsupported": lambda: with_options(cluster(), {"gcache.freeze_purge_at_seqno": "-1"}),
    "packet_size_ineffective": lambda: with_options(cluster(), {"gcs.max_packet_size": "2097152"}),
    "single_applier": lambda: with_variables(cluster(), {"wsrep_slave_threads": "1"}),
}


def _codes(found: list[Advice]) -> set[str]:
    return {advice.code for advice in found}


def test_cluster_advice__usual_configuration__none() -> None:
    assert cluster_advice(cluster()) == []
    assert link_advice(link()) == []
    assert cluster_advice(_pxc("-1")) == []


def test_cases__every_rule_has_one() -> None:
    assert CASES.keys() | {"write_set_limit_smaller"} == {rule.entry.code for rule in (*CLUSTER_RULES, *LINK_RULES)}


@pytest.mark.parametrize("code", CASES)
def test_cluster_advice__one_fact__one_code_and_without_its_rule_none(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = cluster_advice(CASES[code]())

    assert _codes(found) == {code}
    for advice in found:
        assert advice.nodes
        for text in (advice.fact, advice.consequence, advice.remedy):
            assert text.endswith("."), text
    monkeypatch.setattr(registry, "CLUSTER_RULES", [rule for rule in CLUSTER_RULES if rule.entry.code != code])
    assert cluster_advice(CASES[code]()) == []


@pytest.mark.parametrize("code", CASES)
def test_cluster_advice__without_the_answers_of_the_nodes__none(code: str) -> None:
    found = CASES[code]()
    unread = tuple(replace(one, read_at_s=None, options={}, variables={}, status={}) for one in found.nodes)

    assert cluster_advice(replace(found, nodes=unread)) == []


@examples(150)
@given(code=st.sampled_from(sorted(CASES)), data=st.data())
def test_cluster_advice__a_fact_is_missing__no_advice_is_added(code: str, data: st.DataObject) -> None:
    found = CASES[code]()
    which = data.draw(st.sampled_from([one.name for one in found.nodes]))
    one = next(n for n in found.nodes if n.name == which)
    name = data.draw(st.sampled_from(sorted([*one.options, *one.variables, *one.status])))

    less = with_status(
        with_variables(with_options(found, {name: None}, on=which), {name: None}, on=which), {name: None}, on=which
    )

    assert _codes(cluster_advice(less)) <= {code}


def test_cluster_advice__several__the_highest_risk_first() -> None:
    found = with_options(cluster(), {"gmcast.mcast_addr": "239.192.0.11", "gcs.max_packet_size": "2097152"})
    found = with_variables(found, {"sync_binlog": "0", "wsrep_slave_threads": "1"})

    ranks = [advice.entry.risk.value for advice in cluster_advice(found)]

    assert ranks == ["high", "medium", "low", "low"]


def test_packet_size__default__is_above_the_ceiling_and_no_advice() -> None:
    assert cluster_advice(with_options(cluster(), {"gcs.max_packet_size": "32636"})) == []
    assert _codes(cluster_advice(with_options(cluster(), {"gcs.max_packet_size": "32637"}))) == {
        "packet_size_ineffective"
    }


def test_multicast__galera_3_or_unknown__none() -> None:
    for version in ("3.37(r)", None):
        found = with_status(CASES["multicast_prevents_join"](), {"wsrep_provider_version": version})
        assert cluster_advice(found) == []


def test_send_window__statements__the_outer_window_first() -> None:
    (advice,) = cluster_advice(CASES["send_window_small"]())

    assert [change.sql for change in advice.changes if change.node == "a1"] == [
        "SET GLOBAL wsrep_provider_options = 'evs.send_window=512';",
        "SET GLOBAL wsrep_provider_options = 'evs.user_send_window=512';",
    ]
    assert advice.changes[1].undo == "SET GLOBAL wsrep_provider_options = 'evs.user_send_window=2';"


def test_send_window__large_at_one_site__the_inner_window_first() -> None:
    (advice,) = cluster_advice(CASES["send_window_large"]())

    assert [change.sql for change in advice.changes if change.node == "a1"] == [
        "SET GLOBAL wsrep_provider_options = 'evs.user_send_window=2';",
        "SET GLOBAL wsrep_provider_options = 'evs.send_window=4';",
    ]


def test_send_window__large_and_the_distance_unknown_or_less_than_measured__none() -> None:
    large = {"evs.send_window": "512", "evs.user_send_window": "512"}
    silent = with_status(cluster(), {"wsrep_evs_repl_latency": "0/0/0/0/0"})

    assert cluster_advice(with_options(silent, large)) == []
    assert cluster_advice(with_options(cluster(), large | {"evs.user_send_window": "511"})) == []


def test_send_window__no_node_wrote_or_one_did_not_answer__none() -> None:
    one_segment = with_options(distant(cluster()), {"gmcast.segment": "0"})

    assert cluster_advice(with_status(one_segment, {"wsrep_evs_repl_latency": "0/0/0/0/0"})) == []
    assert (
        cluster_advice(replace(one_segment, nodes=(*one_segment.nodes[:2], replace(node("a3"), read_at_s=None)))) == []
    )


def test_gcache__measured_capacity__is_size_over_bytes_and_header() -> None:
    """The lab's figures: 16 MB held 12,709 write-sets of 1,296 bytes."""
    found = with_options(cluster("a1"), {"gcache.size": "16M"})
    counters = {"wsrep_received": "0", "wsrep_received_bytes": "0", "wsrep_replicated": "12709"}
    found = with_status(found, counters | {"wsrep_replicated_bytes": str(12_709 * 1_296), "uptime": "3600"})
    from backend.core.adviser.advice.rules.gcache_small import retention_s

    assert retention_s(found.nodes[0]) == pytest.approx(3_600, rel=0.001)


def test_gcache__node_started_a_moment_ago__none() -> None:
    assert cluster_advice(with_status(CASES["gcache_small"](), {"uptime": "600"})) == []


def test_link_advice__smaller_limit_on_one_side__high_and_both_sides_are_named() -> None:
    smaller = with_variables(link().standby, {"wsrep_max_ws_rows": "1000"})

    (advice,) = link_advice(link(standby=smaller))

    assert advice.code == "write_set_limit_smaller"
    assert advice.fact == (
        "wsrep_max_ws_rows is smaller on frankfurt than on milan (milan: no limit, frankfurt: 1,000)."
    )
    assert advice.subject_id == "l_1"
    unread = with_variables(smaller, {"wsrep_max_ws_rows": None}, on="b2")
    assert "write_set_limit_smaller" not in _codes(link_advice(link(standby=unread)))


def test_link_advice__advice_on_a_cluster__is_in_it() -> None:
    whole: LinkConfiguration = link(active=CASES["multicast_prevents_join"]())

    assert _codes(link_advice(whole)) == {"multicast_prevents_join"}


def test_certificate__ends_in_30_days_or_later_or_is_not_shown__no_advice() -> None:
    for text in (AFTER_30_DAYS, "Jan  1 00:00:00 2090 GMT", "", "Jan 32 00:00:00 1970 GMT", "Foo  1 00:00:00 1970 GMT"):
        assert cluster_advice(with_status(cluster(), {"ssl_server_not_after": text})) == [], text


def test_certificate__has_ended__advised_by_name() -> None:
    found = cluster_advice(with_status(cluster(), {"ssl_server_not_after": "Jan  1 00:00:01 1970 GMT"}, on="a3"))
    assert [(one.code, one.nodes) for one in found] == [("certificate_expires", ("a3",))]
    assert "a3: 1970-01-01 00:00 UTC" in found[0].fact
