"""Segments and bandwidth by the API: computed from what the monitor stored, unknown and refused where due."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, Link
from tests.api.advice import store
from tests.api.write_readings import stored
from tests.core.advice.configurations import cluster as configuration
from tests.core.advice.configurations import with_options
from tests.support.console import Caller


def address(link: Link, part: str = "") -> str:
    return f"/clusters/{link.active_cluster_id}/bandwidth{part}"


def test_bandwidth__nothing_stored__unknown_and_no_number(viewer: Caller, link: Link) -> None:
    answer = viewer.get(address(link)).body
    assert (answer["segments"], answer["other_members"], answer["line"]["kind"]) == (None, None, "unknown")
    assert all(one["reason"] and not one["pairs"] for one in answer["computed"])
    assert answer["until_full"]["state"] == "unknown"
    assert all(load["high"] is None and load["reason"] for load in answer["loads"])


def test_bandwidth__two_segments__one_copy_across_and_its_share_of_the_line(operator: Caller, link: Link) -> None:
    nodes = stored(link)
    answer = operator.call("PUT", address(link, "/capacity"), {"mbit_per_s": 1}).body
    hour = answer["computed"][0]
    assert [(one["sender"], one["receiver"], one["high"]) for one in hour["across"]] == [
        ("0", "1", 14_500.0),
        ("1", "0", 0.0),
    ]
    assert hour["outbound"][0] == {"node": nodes[0].name, "low": 22_200.0, "high": 23_600.0}
    assert answer["line"] == {"kind": "across", "sender": "0", "receiver": "1", "reason": ""}
    assert answer["loads"][0]["share"] == pytest.approx(14_500 / 125_000, abs=1e-4)
    assert answer["until_full"]["reason"].startswith("The write-sets of 0 of the last 7 days")
    assert answer["by_count"]["rows"][1]["outbound_one"] == {"low": 22_200.0, "high": 23_600.0}
    facts = AuditRecord.objects.filter(action="api:bandwidth:capacity").get().facts
    assert facts == {"before": {"mbit_per_s": None}, "after": {"mbit_per_s": 1.0}}
    assert operator.call("PUT", address(link, "/capacity"), {"mbit_per_s": None}).body["capacity"] is None


def test_bandwidth__multicast_set__its_advice(viewer: Caller, link: Link) -> None:
    store(link.active_cluster, with_options(configuration(), {"gmcast.mcast_addr": "239.192.0.11"}))
    answer = viewer.get(address(link)).body
    assert [one["code"] for one in answer["advice"]] == ["multicast_prevents_join"]


def test_bandwidth__two_sites_in_one_segment__named(viewer: Caller, link: Link) -> None:
    stored(link, "000")
    found = with_options(configuration(), {"gmcast.segment": "0"})
    far = {"wsrep_evs_repl_latency": "0.0502/0.051/0.06/0.001/40"}
    nodes = tuple(replace(node, status={**node.status, **far}) for node in found.nodes)
    store(Cluster.objects.get(pk=link.active_cluster_id), replace(found, nodes=nodes))
    answer = viewer.get(address(link)).body
    assert [one["code"] for one in answer["advice"]] == ["segments_missing"]
    assert (answer["segments"], answer["line"]["kind"]) == (["0"], "outbound")


@pytest.mark.parametrize("body", [{"mbit_per_s": 0}, {"mbit_per_s": 1e9}, {"mbit_per_s": True}, {}])
def test_capacity__absurd__refused_at_its_field_and_nothing_stored(
    operator: Caller, link: Link, body: dict[str, object]
) -> None:
    answer = operator.call("PUT", address(link, "/capacity"), body)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "mbit_per_s")
    assert operator.get(address(link)).body["capacity"] is None


def test_capacity__viewer__refused(viewer: Caller, link: Link) -> None:
    assert viewer.call("PUT", address(link, "/capacity"), {"mbit_per_s": 100}).status == 403
