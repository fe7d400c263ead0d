"""What limits the appliers of a channel's replica, from its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from backend.core.adviser.apply_capacity.rates import CapacityReason


@dataclass(frozen=True, slots=True)
class Appliers:
    """Settings of the appliers; null is unknown."""

    parallel_threads: Annotated[int | None, "slave_parallel_threads of the replica"] = None
    parallel_mode: Annotated[str | None, "slave_parallel_mode of the replica"] = None
    galera_threads: Annotated[int | None, "lowest wsrep_slave_threads of the other nodes of its cluster"] = None


def applier_reasons(appliers: Appliers) -> tuple[CapacityReason, ...]:
    """What the settings mean for the rate; nothing of an unknown setting."""
    found = []
    threads, mode = appliers.parallel_threads, appliers.parallel_mode
    if threads is not None and threads <= 1:
        sentence = "One thread applies, so every transaction waits for the commit of the one before it."
        found.append(CapacityReason("one_applier", sentence, {"slave_parallel_threads": threads}))
    elif threads is not None and mode is not None and mode.lower() in ("conservative", "minimal", "none"):
        sentence = (
            f"{threads} threads apply in mode {mode}: only transactions that the source committed together run side by "
            "side. With few writers on the source that is one at a time."
        )
        found.append(CapacityReason("few_side_by_side", sentence, {"slave_parallel_mode": mode}))
    if appliers.galera_threads == 1:
        sentence = (
            "The other nodes of the receiving cluster apply with one thread, and flow control may slow the replica."
        )
        found.append(CapacityReason("one_galera_applier", sentence, {"wsrep_slave_threads": 1}))
    return tuple(found)
