"""A rule, and walking a situation in a copy of the core that lacks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.core.seeded_bugs.mutants import Change, Copy


@dataclass(frozen=True, slots=True)
class Rule:
    """`holds` shows the rule at work in a copy of the core; `changes` take it out; `prevents`: what happens then."""

    name: str
    changes: tuple[Change, ...]
    holds: Callable[[Copy], bool]


def is_green(
    core: Copy, module: str, test: str, *given: Any, red: tuple[type[Exception], ...] = (AssertionError,), **named: Any
) -> bool:
    """Whether what the ordinary test states holds in that copy; `module` is below tests.core."""
    try:
        getattr(core[f"tests.core.{module}"], test)(*given, **named)
    except red:
        return False
    return True


def walk(core: Copy, name: str, act: Callable[[Any], None] | None = None, at: str = "", **faults: Any) -> Any:
    """Walk a situation, an operator acting as a step begins; returns world, memory and gateway in one."""
    driver, gateways = core["tests.fakes.driver"], core["tests.fakes.gateway"]
    world, plan = core["tests.core.builders.situations"].situation(name).build()
    ordered = {int(k[1:]): gateways.Fault(v) for k, v in faults.items() if k[0] == "f"}
    gateway = gateways.FakeGateway(world, ordered)
    memory = driver.Memory(plan)
    acted: list[bool] = []

    def on_transition(transition: Any) -> None:
        step = getattr(transition, "step", None)
        if act is not None and type(transition).__name__ == "StepStarted" and step.code == at and not acted:
            acted.append(True)
            act((world, memory))

    driver.Walker(world, gateway, memory, on_transition=on_transition).run()
    for _ in range(5):
        if memory.end is None:
            driver.Walker(world, gateway, memory).run()
    gateway.run_late()
    return world, memory, gateway


def state_of(walked: Any) -> str:
    return str(walked[1].end.state)
