"""The lab brings a node back without harm to its cluster, however soon."""

from __future__ import annotations

from tests.galera.scene import Scene


def members(scene: Scene, asked: str) -> str:
    """Addresses of the nodes that one node counts to its cluster."""
    return str(scene.sql(asked, "SHOW STATUS LIKE 'wsrep_incoming_addresses'")[0]["Value"])


def test_start__at_once_after_a_kill__only_when_the_cluster_has_let_the_old_self_go(scene: Scene) -> None:
    """A node that meets its own old self in the group can cost the survivors their Primary component."""
    lab, (source, _) = scene.stack.lab, scene.pair()
    victim = scene.other(source)
    address = f"{lab.node(victim).host}:{lab.node(victim).port}"
    assert address in members(scene, source)
    lab.kill(victim)
    lab.start(victim, wait=False)
    assert address not in members(scene, source)
    scene.heal()
    assert address in members(scene, source)
    scene.judge()
