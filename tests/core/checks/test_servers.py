"""Plans with servers that were never tried: refused, unless both clusters' administrators accept exactly these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from backend.core.automation import required_attestations
from backend.core.checks.run import Check, run_checks
from backend.core.dialects import dialect_to_watch
from backend.core.dialects.galera import FILTERS
from backend.core.facts.serialization import node_from_json, node_to_json
from backend.core.facts.server_identity import IDENTITY_VARIABLES
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.plans.reprotect import REPROTECT_CHECKS
from backend.core.plans.start_channel import START_CHECKS
from backend.core.topology import AcceptedServer, ClusterFacts
from tests.core.builders.accepted_servers import PXC, accepted_link, codes, found, lost_standby, with_servers
from tests.core.builders.link_facts import context, relocate_findings, with_channel, with_node
from tests.core.dialects.recorded import rows


def test_servers__accepted_for_both_clusters__a_warning_each_that_quotes_who_accepted() -> None:
    findings = found(accepted_link())
    assert [(one.code, one.severity) for one in findings] == [("server_not_tried_accepted", Severity.WARNING)] * 2
    assert "ada accepted plans with it for cluster-a: “We compared every statement in staging.”" in findings[0].message
    assert findings[0].facts["accepted_at_s"] == PXC.at_s
    assert required_attestations(findings).startswith("server_not_tried_accepted"), "nothing starts automatically"


@pytest.mark.parametrize("flavor", ["pxc", "mysql-wsrep"])
@pytest.mark.parametrize("version", ["8.0.36-28.1", "8.4.3-3.1"])
def test_servers__not_accepted__refused_with_the_way_to_accept(flavor: str, version: str) -> None:
    findings = found(accepted_link(None, None, flavor=flavor, version=version))
    assert {one.code for one in findings} == {"server_watched_only"}
    assert all("administrator" in one.remedy and version[:3] in one.remedy for one in findings)


@pytest.mark.parametrize(
    ("accepted", "flavor", "version"),
    [
        (PXC, "pxc", "8.4.3-3.1"),
        (PXC, "mysql-wsrep", "8.0.41-26.22"),
        (PXC, "mysql", "8.0.41"),
        (replace(PXC, flavor="mysql"), "mysql", "8.0.41"),
        (replace(PXC, flavor="mysql", series="9.7"), "mysql", "9.7.4-2"),
        (PXC, "pxc", "8.0.22-13.1"),
        (replace(PXC, series="9.1"), "pxc", "9.1.0-1.1"),
        (replace(PXC, flavor="mariadb", series="12.3"), "mariadb", "12.3.1-MariaDB"),
    ],
)
def test_servers__accepted_for_another_series_or_never_acceptable__refused(
    accepted: AcceptedServer, flavor: str, version: str
) -> None:
    seen = codes(accepted_link(accepted, accepted, flavor=flavor, version=version))
    assert seen - {"known_defect"} == {"server_watched_only"}


def test_servers__one_node_upgraded_to_another_series__refused_and_told_what_is_accepted() -> None:
    findings = found(with_node(accepted_link(), "b3", version="8.4.3-3.1"))
    (refused,) = [one for one in findings if one.refuses]
    assert refused.facts["node"] == "b3"
    assert "What is accepted is Percona XtraDB Cluster 8.0, which does not cover it" in refused.message


@pytest.mark.parametrize("second", [None, replace(PXC, flavor="mysql-wsrep")])
def test_servers__other_cluster_is_not_accepted_for_the_family__refused(second: AcceptedServer | None) -> None:
    facts = accepted_link(PXC, second)
    lost = replace(facts, standby=lost_standby(facts).standby)
    assert codes(lost) == {"server_watched_only"}, "nothing is known of the lost side"
    assert "server_watched_only" in codes(facts)


def test_servers__other_side_lost_and_accepted__a_warning_for_the_survivor() -> None:
    assert [one.code for one in found(lost_standby(accepted_link()))] == ["server_not_tried_accepted"]


def test_servers__mixed_link__refused() -> None:
    facts = accepted_link()
    mixed = replace(facts, standby=with_servers(facts.standby, None, "mariadb", "10.11.19-MariaDB"))
    assert codes(mixed) == {"server_watched_only"}


def test_servers__accepted_but_without_galera__refused() -> None:
    findings = found(with_node(accepted_link(), "a2", wsrep=None))
    (refused,) = [one for one in findings if one.refuses]
    assert "runs without Galera" in refused.message
    assert "start a2 with Galera" in refused.remedy


def test_servers__unknown_release__never_passes() -> None:
    assert "version_unknown" in {
        one.code for one in relocate_findings(context(with_node(accepted_link(), "a2", version=None)))
    }


def answered(version: str, *, filters: bool) -> LinkFacts:
    """An accepted link whose nodes answer as PXC's documentation says, with or without the table of filters."""
    series = version.rpartition("-")[0].rpartition(".")[0]
    dialect, server = dialect_to_watch("pxc", version), f"pxc-{series}-from-documentation"
    read = dialect.parse_variables(rows(server, "variables"))
    if filters:
        read |= dialect.parse_global_filters(rows(server, "global_filters"))
    identity = dict.fromkeys(IDENTITY_VARIABLES, "same")

    def of(cluster: ClusterFacts) -> ClusterFacts:
        shown = ({k: v for k, v in one.variables.items() if k not in FILTERS} for one in cluster.nodes)
        pairs = zip(cluster.nodes, shown, strict=True)
        return replace(
            cluster, nodes=tuple(replace(one, variables={**identity, **seen, **read}) for one, seen in pairs)
        )

    accepted = replace(PXC, series=series)
    facts = accepted_link(accepted, accepted, version=version)
    return replace(facts, active=of(facts.active), standby=of(facts.standby))


@pytest.mark.parametrize("version", ["8.0.36-28.1", "8.4.8-8.1"])
def test_relocate__answers_of_pxc_as_documented__not_refused(version: str) -> None:
    assert [one for one in relocate_findings(context(answered(version, filters=True))) if one.refuses] == []


@pytest.mark.parametrize("version", ["8.0.36-28.1", "8.4.8-8.1"])
def test_relocate__filters_of_pxc_not_readable__refused_with_the_grant(version: str) -> None:
    (refused,) = {one.remedy for one in relocate_findings(context(answered(version, filters=False))) if one.refuses}
    assert "SELECT on `performance_schema`.`replication_applier_global_filters`" in refused


@pytest.mark.parametrize("checks", [REPROTECT_CHECKS, START_CHECKS])
def test_other_plans__channel_by_a_set_of_gtids__refused_in_the_terms_of_mysql(checks: Sequence[Check]) -> None:
    findings = run_checks(context(with_channel(accepted_link(), "b1", using_gtid="Auto_Position")), checks)
    (refused,) = [one for one in findings if one.code == "channel_uses_gtid"]
    assert "SOURCE_AUTO_POSITION=1" in refused.message
    assert "Relocate the link" in refused.remedy


def test_stored_facts__acceptance__is_not_among_them() -> None:
    node = accepted_link().active.nodes[0]
    assert "accepted" not in node_to_json(node)["node"]
    assert node_from_json(node_to_json(node)).node.accepted is None
