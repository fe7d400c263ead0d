"""Steps in order: collected, numbered, and marked where there is no way back."""

from __future__ import annotations

from typing import Any

from backend.core.dialects import dialect_for
from backend.core.dialects.base import Dialect
from backend.core.plan import Step
from backend.core.topology import NodeFacts


class StepList:
    """Collects steps in order and numbers them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(
        self,
        code: str,
        title: str,
        node: NodeFacts | None = None,
        *,
        sql: tuple[str, ...] = (),
        undo: tuple[str, ...] = (),
        pnr: bool = False,
        **params: Any,
    ) -> None:
        """Append a step; `sql` is what an operator reads, `params` all its executor needs."""
        ref = node.node if node else None
        self.steps.append(
            Step(
                index=len(self.steps),
                code=code,
                title=title,
                node_id=ref.id if ref else None,
                node=ref.name if ref else None,
                sql=sql,
                undo=undo,
                point_of_no_return=pnr,
                params=params,
            )
        )


def dialect_of(node: NodeFacts) -> Dialect:
    """The dialect a node speaks; DialectError where it does not say."""
    return dialect_for(node.flavor, node.version)
