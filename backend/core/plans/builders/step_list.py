"""The steps of a plan in order: collected, numbered, and with the point of no return marked."""

from __future__ import annotations

from typing import Any

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
        """Append a step; `sql` is what an operator reads, `params` is everything that its executor needs."""
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
