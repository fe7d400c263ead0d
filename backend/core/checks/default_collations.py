"""Check that a table which names no collation gets the same one on both sides."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.findings import Finding, Severity
from backend.core.topology import NodeFacts

_VARIABLES = ("collation_server", "character_set_collations")


def check_default_collations(ctx: CheckContext) -> Iterator[Finding]:
    """The statement is replicated as it was sent, and each side completes it by its own defaults, without an error.

    A release without `character_set_collations` has the compiled-in collations, as has one where it is empty.
    """
    source, replica = ctx.pair
    differing = [name for name in _VARIABLES if _differ(source, replica, name)]
    if not differing:
        return
    values = {name: {node.node.name: node.variable(name) or "" for node in (source, replica)} for name in differing}
    sides = f"{source.node.name} and {replica.node.name}"
    yield Finding(
        "default_collation_differs",
        Severity.WARNING,
        f"{' and '.join(differing)} of {sides} {'differ' if len(differing) > 1 else 'differs'}. A table or column that "
        "is created without COLLATE gets another collation on each side, and its unique keys may accept other rows.",
        f"Set {' and '.join(differing)} alike in the configuration of all nodes of both clusters, "
        "or name the collation in each CREATE TABLE.",
        values,
    )


def _differ(source: NodeFacts, replica: NodeFacts, name: str) -> bool:
    """Whether both report themselves and the values are not the same; `collation_server` exists on every release."""
    values = source.variable(name), replica.variable(name)
    if name == "collation_server" and None in values:
        return False
    return (values[0] or "") != (values[1] or "")
