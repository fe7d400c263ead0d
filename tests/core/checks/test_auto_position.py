"""Channels with SOURCE_AUTO_POSITION=1: what every node must be set to before sets of GTIDs decide anything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.checks.auto_position import check_auto_position
from backend.core.link_facts import LinkFacts
from backend.core.topology import NodeFacts
from tests.core.builders.accepted_servers import accepted_link
from tests.core.builders.link_facts import context, with_channel
from tests.core.builders.link_facts import link as plain_link


def by_sets(**of_b2: str | None) -> LinkFacts:
    """Both channels use auto-position and every node logs GTIDs, but for what `of_b2` says."""
    facts = accepted_link()
    for name in ("a1", "b1"):
        facts = with_channel(facts, name, using_gtid="Auto_Position")
    return _with_variables(facts, of_b2)


def _with_variables(facts: LinkFacts, of_b2: dict[str, str | None]) -> LinkFacts:
    def of(node: NodeFacts) -> NodeFacts:
        reported = dict(node.variables) | {"gtid_mode": "ON", "server_uuid": f"uuid-{node.node.name}"}
        reported |= of_b2 if node.node.name == "b2" else {}
        return replace(node, variables={k: v for k, v in reported.items() if v is not None})

    sides = {name: getattr(facts, name) for name in ("active", "standby")}
    return replace(facts, **{k: replace(c, nodes=tuple(map(of, c.nodes))) for k, c in sides.items()})


def codes(facts: LinkFacts) -> list[str]:
    return [finding.code for finding in check_auto_position(context(facts))]


def test_check__every_node_logs_gtids__ok() -> None:
    assert codes(by_sets()) == ["gtid_auto_position"]


@pytest.mark.parametrize(
    ("code", "variables"),
    [
        ("gtid_mode_off", {"gtid_mode": "ON_PERMISSIVE"}),
        ("gtid_mode_off", {"gtid_mode": "OFF"}),
        ("gtid_set_unknown", {"gtid_mode": None}),
        ("gtid_set_unknown", {"server_uuid": None}),
    ],
)
def test_check__one_node_does_not_or_is_unknown__refused(code: str, variables: dict[str, str | None]) -> None:
    facts = by_sets(**variables)
    assert codes(facts) == [code]
    assert all(finding.refuses for finding in check_auto_position(context(facts)))


def test_check__server_moves_the_channel_itself__refused() -> None:
    facts = by_sets()
    channel = facts.standby.nodes[0].channels
    assert channel
    options = dict(channel[0].options) | {"SOURCE_CONNECTION_AUTO_FAILOVER": "1"}
    assert codes(with_channel(facts, "b1", options=options)) == ["channel_fails_over_itself"]


def test_check__channel_by_position_on_servers_with_gtids__guarded_only_if_all_have_them() -> None:
    assert codes(_with_variables(accepted_link(), {})) == []
    facts = _with_variables(accepted_link(), {"gtid_mode": "OFF"})
    assert codes(facts) == ["gtid_mode_off"]


def test_check__no_gtids_at_all__nothing_to_say() -> None:
    assert codes(plain_link()) == []
