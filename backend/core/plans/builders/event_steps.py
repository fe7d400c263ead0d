"""The steps that let events run on the other side: disabled before the fence, enabled once the new side is open.

Nothing of it is kept out of the log. What is sent on one node reaches all others of both sides as SLAVESIDE_DISABLED,
so the last statement decides which node runs the event; left out of the log (`sql_log_bin=0`) it stood in the log of
the neighbours alone (measured), and no position could be compared there.
"""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.facts.events import ELSEWHERE, ENABLED
from backend.core.facts.side_events import EventMove
from backend.core.plans.builders.step_list import StepList


def disable_event_steps(steps: StepList, moves: Iterable[EventMove]) -> None:
    """On each node of the side to be left that runs one of these; an abort enables it again."""
    for move in moves:
        for node in move.runs_on:
            if node.is_up:
                steps.add(
                    "disable_event",
                    f"{node.node.name}: leave the event {move.event.shown} to the other side",
                    node,
                    sql=(move.disable,),
                    undo=(move.enable,),
                    event=move.event.shown,
                    definer=move.event.definer,
                    wanted=ELSEWHERE,
                )


def enable_event_steps(steps: StepList, moves: Iterable[EventMove]) -> None:
    """On the node that runs it from now on."""
    for move in moves:
        if move.target is not None:
            steps.add(
                "enable_event",
                f"{move.target.node.name}: run the event {move.event.shown} here",
                move.target,
                sql=(move.enable,),
                event=move.event.shown,
                definer=move.event.definer,
                wanted=ENABLED,
            )
