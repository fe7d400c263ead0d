"""Which declared node is which registered one: by its name, and where the name is new by its address."""

from __future__ import annotations

from backend.registration.declaration.state import ClusterState, NodeState

Pairs = tuple[tuple[NodeState, NodeState], ...]
Nodes = tuple[NodeState, ...]


def pair_nodes(before: ClusterState, after: ClusterState) -> tuple[Pairs, Nodes, Nodes]:
    """Pairs of registered and declared nodes, the nodes to add, and the registered ones that are not declared.

    A new name at the address of a node that is not declared any more is that node under another name.
    """
    registered = {node.name: node for node in before.nodes}
    declared = {node.name for node in after.nodes}
    left = {node.address: node for node in before.nodes if node.name not in declared}
    pairs, added = [], []
    for node in after.nodes:
        old = registered.get(node.name) or left.pop(node.address, None)
        if old is None:
            added.append(node)
        else:
            pairs.append((old, node))
    return tuple(pairs), tuple(added), tuple(left.values())
