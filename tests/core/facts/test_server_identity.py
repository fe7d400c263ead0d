"""I16 where server_ids tell nothing: neighbours that share one are distinguished all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.fingerprint import fingerprint
from backend.core.facts.server_identity import IDENTITY_VARIABLES, server_identity
from tests.core.builders.situations import situation
from tests.fakes.driver import Memory, Walker, at_start_of, run_to_end
from tests.fakes.gateway import FakeGateway


@pytest.mark.parametrize("part", IDENTITY_VARIABLES)
def test_session__reaches_a_neighbour_with_the_same_server_id__nothing_is_sent(part: str) -> None:
    world, plan = situation("gtid_move_both").build()
    assert len({node.server_id for node in world.b.nodes}) == 1
    gateway, memory = FakeGateway(world), Memory(plan)

    def act() -> None:
        world.node("b1").who[part] = "another"

    Walker(world, gateway, memory, on_transition=at_start_of("stop_channel", act)).run()
    assert memory.ended.state == "failed"
    assert "another" in memory.failures[0]
    assert gateway.sent == []


def test_recheck__address_leads_to_a_neighbour_with_the_same_server_id__nothing_is_sent() -> None:
    world, plan = situation("gtid_move_both").build()
    world.node("b1").who["datadir"] = "/lab/b2/data/"
    memory = run_to_end(world, plan)
    assert "b1.server" in memory.failures[0]
    assert world.executed == []


def test_session__planned_server_did_not_say_who_it_is__nothing_is_sent() -> None:
    world, plan = situation("gtid_move_both").build()
    world.node("b1").unsaid = "datadir"
    facts = fingerprint(world.facts(), plan.fingerprint["nodes"], restless=plan.fingerprint["restless"])
    assert facts["b1.server"] is None
    memory = run_to_end(world, replace(plan, fingerprint=facts))
    assert "it is unknown" in memory.failures[0]
    assert world.executed == []


def test_plan__made_before_identities_were_facts__held_to_its_server_ids() -> None:
    world, plan = situation("move_both").build()
    known = {key: value for key, value in plan.fingerprint.items() if not key.endswith(".server")}
    memory = run_to_end(world, replace(plan, fingerprint=known))
    assert memory.ended.state == "succeeded"


def test_identity__neighbours_on_one_machine_with_one_server_id__each_its_own() -> None:
    world, _ = situation("gtid_move_both").build()
    identities = [server_identity(node.variables) for node in world.facts().nodes]
    assert len(set(identities)) == len(world.nodes)


@pytest.mark.parametrize("part", IDENTITY_VARIABLES)
def test_identity__a_part_not_read__not_known(part: str) -> None:
    variables = dict.fromkeys(IDENTITY_VARIABLES, "x")
    assert server_identity(variables) is not None
    assert server_identity({name: text for name, text in variables.items() if name != part}) is None
