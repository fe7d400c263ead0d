"""What one does with a lab's distance: set shapes, cut and heal, count. The command line is a thin layer over it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.layout import Node, Paths, Settings
from deploy.lab.wan import lifecycle
from deploy.lab.wan.plan import Plan, Rule
from deploy.lab.wan.protocol import ask
from deploy.lab.wan.shape import Shape


class Distance:
    """The distance of one lab, changed while it runs."""

    def __init__(self, paths: Paths, settings: Settings) -> None:
        if not settings.wan:
            raise LabError(
                f"the lab in {paths.home} runs on loopback addresses, which take no distance."
                " End it with `down` and build it with `up --wan`"
            )
        self._paths, self._settings = paths, settings

    @property
    def plan(self) -> Plan:
        """Shapes and cuts as last chosen."""
        return lifecycle.read_plan(self._paths)

    def set(self, rules: Iterable[Rule]) -> None:
        """Add rules; one between the same ends is replaced."""
        self._change(self.plan.with_rules(rules))

    def set_round_trip(self, milliseconds: float, loss_percent: float = 0.0) -> None:
        """Sites so far apart, half of it each way; the loss is of each direction."""
        shape = Shape(delay_ms=milliseconds / 2, loss_percent=loss_percent)
        self.set((Rule("a", "b", shape), Rule("b", "a", shape)))

    def clear(self) -> None:
        """No distance any more; cuts stay."""
        self._change(Plan(cuts=self.plan.cuts))

    def cut(self, pairs: Iterable[tuple[Node, Node]]) -> None:
        """Separate nodes; adds to what is cut already."""
        self._change(self.plan.with_cuts((one.name, other.name) for one, other in pairs))

    def heal(self) -> bool:
        """Undo every cut; False if there was none."""
        plan = self.plan
        if plan.cuts:
            self._change(Plan(plan.rules))
        return bool(plan.cuts)

    def _change(self, plan: Plan) -> None:
        lifecycle.change(self._paths, self._settings, plan)

    def report(self) -> dict[str, Any]:
        """Counters of each pair and the router's own lateness since the last reset; see `deploy.lab.wan.report`."""
        return ask(self._paths, "report")

    def reset(self) -> None:
        """Begin to count afresh, at the start of a measurement."""
        ask(self._paths, "reset")
