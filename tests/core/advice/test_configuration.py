"""The table of settings, the lines that keep a change, and the order of restarts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.adviser.advice.configuration.fragment import fragment
from backend.core.adviser.advice.configuration.restart_order import restart_order
from backend.core.adviser.advice.configuration.table import (
    ConfigurationRow,
    ConfigurationValue,
    TakesEffect,
    configuration_rows,
)
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.layout import Layout, layout_of
from tests.core.advice.configurations import cluster, distant, node, with_options, with_variables


def _row(found: ClusterConfiguration, name: str, layout: Layout = Layout.UNKNOWN) -> ConfigurationRow:
    return next(row for row in configuration_rows(found, layout) if row.name == name)


def test_rows__no_profile_and_equal_nodes__nothing_recommended() -> None:
    assert [row.name for row in configuration_rows(cluster(), Layout.UNKNOWN) if row.recommendation] == []


def test_rows__two_sites__windows_and_timeouts_with_statement_and_undo() -> None:
    found = distant(cluster())
    assert layout_of(found) is Layout.TWO_SITES

    rows = {row.name: row for row in configuration_rows(found, Layout.TWO_SITES) if row.recommendation}

    assert list(rows) == [
        "evs.inactive_timeout",
        "evs.send_window",
        "evs.suspect_timeout",
        "evs.user_send_window",
        "gcs.fc_limit",
    ]
    first = rows["evs.suspect_timeout"].recommendation
    assert first is not None
    assert first.changes[0].sql == "SET GLOBAL wsrep_provider_options = 'evs.suspect_timeout=PT15S';"
    assert first.changes[0].undo == "SET GLOBAL wsrep_provider_options = 'evs.suspect_timeout=PT5S';"


def test_rows__value_of_one_node_deviates__the_value_of_the_others_for_it_alone() -> None:
    row = _row(with_options(cluster(), {"gcache.size": "1G"}, on="a2"), "gcache.size")

    assert row.differs is True
    assert row.takes_effect is TakesEffect.RESTART
    assert row.recommendation is not None
    assert [(change.node, change.before, change.after, change.sql) for change in row.recommendation.changes] == [
        ("a2", "1G", "128M", "")
    ]


def test_rows__a_node_was_not_read__its_value_and_equality_are_unknown() -> None:
    found = replace(cluster(), nodes=(*cluster().nodes[:2], replace(node("a3"), read_at_s=None, options={})))

    row = _row(found, "gcache.size")

    assert row.values[2] == ConfigurationValue("a3", None)
    assert row.differs is None


def test_rows__equal_in_another_form__do_not_differ() -> None:
    assert _row(with_options(cluster(), {"gcache.size": "134217728"}, on="a2"), "gcache.size").differs is False


@pytest.mark.parametrize(
    ("option", "value", "kind"),
    [
        ("gcs.max_packet_size", "2097152", "ineffective"),
        ("gmcast.mcast_addr", "239.192.0.11", "harmful"),
        ("gcache.freeze_purge_at_seqno", "-1", "unsupported"),
        ("gcs.fc_master_slave", "yes", "removed"),
        ("made.up", "1", "unknown"),
        ("gcs.fc_limit", "16", ""),
    ],
)
def test_rows__option_of_another_version__is_named(option: str, value: str, kind: str) -> None:
    assert _row(with_options(cluster(), {option: value}), option).note_kind == kind


def test_fragment__two_changes__one_line_with_what_is_set_and_what_is_not_known() -> None:
    found = with_options(cluster(), {"gcache.size": "1G", "socket.ssl_password": "(hidden)"})
    found = with_variables(with_options(found, {"gcache.size": "2G"}, on="a2"), {"wsrep_sst_method": "mariabackup"})
    found = with_variables(found, {"wsrep_sst_method": "rsync"}, on="a2")
    changes = [
        change
        for row in configuration_rows(found, Layout.ONE_SITE)
        if row.recommendation
        for change in row.recommendation.changes
    ]

    lines = fragment(found.nodes[1], changes).splitlines()

    assert lines[:2] == ["# a2", "[mysqld]"]
    assert 'wsrep_provider_options = "gcache.size=1G; gcs.fc_limit=32"' in lines
    assert "wsrep_sst_method = mariabackup" in lines
    assert any("socket.ssl_password" in line and line.startswith("#") for line in lines)
    assert "(hidden)" not in "\n".join(lines)


def test_fragment__value_that_would_end_its_line__is_named_and_not_written() -> None:
    found = with_options(cluster("a1"), {"repl.max_ws_size": '1"\nevil=1'})
    changes = [
        change
        for row in configuration_rows(found, Layout.ONE_SITE)
        if row.recommendation
        for change in row.recommendation.changes
    ]

    text = fragment(found.nodes[0], changes)

    assert "evil" not in text
    assert "repl.max_ws_size" in text


def test_fragment__plugin__a_variable_each() -> None:
    found = cluster("a1")
    found = replace(found, nodes=tuple(replace(n, has_plugin=True) for n in found.nodes))
    changes = [
        change
        for row in configuration_rows(found, Layout.ONE_SITE)
        if row.recommendation
        for change in row.recommendation.changes
    ]

    assert "wsrep_provider_gcs_fc_limit = 32" in fragment(found.nodes[0], changes)


def _closed(node: NodeConfiguration) -> NodeConfiguration:
    return replace(node, variables={**node.variables, "read_only": "ON"})


def test_restart_order__node_of_the_link__is_last_and_relocated_before() -> None:
    found = with_options(cluster(), {"gmcast.mcast_addr": "239.192.0.11"})
    changes = [
        change
        for row in configuration_rows(found, Layout.UNKNOWN)
        if row.recommendation
        for change in row.recommendation.changes
    ]

    found = replace(found, nodes=tuple(_closed(node) if node.name == "a2" else node for node in found.nodes))
    order = restart_order(found, changes)

    assert [step.node for step in order] == ["a2", "a3", "a1"]
    assert order[2].sentence.startswith("Relocate the link's channels off a1 first.")
    assert ["read_only=ON" in step.sentence for step in order] == [True, False, False]
    assert restart_order(found, [change for change in changes if not change.needs_restart]) == []
