"""What the texts of rules have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from backend.core.adviser.advice.facts import NodeConfiguration

NOT_MEASURED: Final = "The effect was not measured here."
REVERSE: Final = "Undo in the reverse order."


def names(nodes: Sequence[NodeConfiguration]) -> str:
    """The nodes by name."""
    return ", ".join(node.name for node in nodes)


def values(by_node: Mapping[str, str]) -> str:
    """`a1: 4, a2: 8`; an empty value is shown as such."""
    return ", ".join(f"{node}: {value or '(empty)'}" for node, value in by_node.items())
