"""Which pairs a rule covers, which rule counts, and the plan on disk."""

from __future__ import annotations

import json
from ipaddress import IPv4Network

import pytest

from deploy.lab.errors import LabError
from deploy.lab.wan.plan import End, Plan, Rule
from deploy.lab.wan.routes import Routes
from deploy.lab.wan.shape import Shape

ENDS = [
    End("db-a1", "a", "198.18.1.11"),
    End("db-a2", "a", "198.18.1.12"),
    End("db-b1", "b", "198.18.1.21"),
    End("console", "a", "198.18.1.1"),
]
FAR, NEAR = Shape(delay_ms=50), Shape(delay_ms=1)


def test_rule__between_sites__every_pair_across_in_one_direction() -> None:
    assert Rule("a", "b", FAR).pairs(ENDS) == [("db-a1", "db-b1"), ("db-a2", "db-b1"), ("console", "db-b1")]


def test_rule__of_one_node__to_everyone_but_itself() -> None:
    assert [target for _, target in Rule("db-a1", "all", FAR).pairs(ENDS)] == ["db-a2", "db-b1", "console"]


def test_rule__unknown_end__refused_with_the_choices() -> None:
    with pytest.raises(LabError, match=r"there is no 'c' in this lab\. Choose from a, b, db-a1"):
        Rule("a", "c", FAR).pairs(ENDS)


def test_plan__same_ends_again__replaced_and_another_direction_left() -> None:
    plan = Plan().with_rules([Rule("a", "b", FAR), Rule("b", "a", FAR)]).with_rules([Rule("a", "b", NEAR)])
    shape_of = {pair: rule.shape for pair, rule in plan.rule_of(ENDS).items()}
    assert shape_of["db-a1", "db-b1"] == NEAR
    assert shape_of["db-b1", "db-a1"] == FAR


def test_plan__overlapping_rules__the_later_counts() -> None:
    plan = Plan().with_rules([Rule("a", "b", FAR), Rule("db-a2", "all", NEAR)])
    shape_of = {pair: rule.shape for pair, rule in plan.rule_of(ENDS).items()}
    assert (shape_of["db-a1", "db-b1"], shape_of["db-a2", "db-b1"]) == (FAR, NEAR)


def test_plan__through_json__the_same() -> None:
    plan = Plan().with_rules([Rule("a", "b", FAR)]).with_cuts([("db-a1", "db-b1")])
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert ("db-b1", "db-a1") in plan.cuts


def test_routes__plan_applied__shape_line_and_cut_of_each_path() -> None:
    routes = Routes(ENDS, {end.name: number for number, end in enumerate(ENDS)})
    plan = Plan().with_rules([Rule("a", "b", Shape(rate_mbit=1))])
    routes.apply(plan)
    line = routes.path("db-a1", "db-b1").line
    assert routes.path("db-a2", "db-b1").line is line  # one line for all that the rule names
    assert routes.path("db-b1", "db-a1").line is not line
    routes.apply(plan.with_cuts([("db-a1", "db-b1")]))
    assert routes.path("db-a1", "db-b1").line is line  # unchanged, so its queue is not forgotten
    assert routes.path("db-b1", "db-a1").is_cut
    routes.apply(Plan())
    assert not routes.path("db-b1", "db-a1").is_cut
    assert routes.path("db-a1", "db-b1").shape == Shape()


def test_routes__unknown_end__refused_with_nothing_changed() -> None:
    routes = Routes(ENDS, {end.name: number for number, end in enumerate(ENDS)})
    routes.apply(Plan().with_rules([Rule("a", "b", FAR)]))
    with pytest.raises(LabError):
        routes.apply(Plan().with_rules([Rule("a", "c", NEAR)]))
    assert routes.path("db-a1", "db-b1").shape == FAR


def test_routes__address_of_a_proxy__leads_to_the_console_from_everywhere_else() -> None:
    routes = Routes(ENDS, {end.name: number for number, end in enumerate(ENDS)}, IPv4Network("198.18.1.128/25"))
    packet = bytes([0x45, *[0] * 15, 198, 18, 1, 139])
    found = routes.of_packet(2, packet)
    assert found is not None
    assert (found.source, found.target) == ("db-b1", "console")
    assert routes.of_packet(3, packet) is None


def test_routes__packet__goes_by_its_source_device_and_its_target() -> None:
    routes = Routes(ENDS, {end.name: number for number, end in enumerate(ENDS)})
    packet = bytes([0x45, *[0] * 15, 198, 18, 1, 21])
    found = routes.of_packet(0, packet)
    assert found is not None
    assert (found.source, found.target, found.port) == ("db-a1", "db-b1", 2)
    assert routes.of_packet(2, packet) is None  # to itself
    assert routes.of_packet(0, bytes([0x45, *[0] * 15, 8, 8, 8, 8])) is None
    assert routes.of_packet(0, bytes([0x60, *[0] * 39])) is None
    assert routes.of_packet(0, b"") is None
