"""What limits the appliers of a channel's replica, from its settings."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.adviser.apply_capacity.rates import Reason


@dataclass(frozen=True, slots=True)
class Appliers:
    """Settings of the replica; None is unknown.

    `parallel_threads`: slave_parallel_threads, 0 for one applier; `parallel_mode`: slave_parallel_mode;
    `galera_threads`: wsrep_slave_threads of the other nodes of its cluster, which apply what it commits.
    """

    parallel_threads: int | None = None
    parallel_mode: str | None = None
    galera_threads: int | None = None


def applier_reasons(appliers: Appliers) -> tuple[Reason, ...]:
    """What the settings mean for the rate; nothing of an unknown setting."""
    found = []
    threads, mode = appliers.parallel_threads, appliers.parallel_mode
    if threads is not None and threads <= 1:
        sentence = "One thread applies, so every transaction waits for the commit of the one before it."
        found.append(Reason("one_applier", sentence, {"slave_parallel_threads": threads}))
    elif threads is not None and mode is not None and mode.lower() in ("conservative", "minimal", "none"):
        sentence = (
            f"{threads} threads apply in mode {mode}: only transactions that the source committed together run side by "
            "side. With few writers on the source that is one at a time."
        )
        found.append(Reason("few_side_by_side", sentence, {"slave_parallel_mode": mode}))
    if appliers.galera_threads == 1:
        sentence = (
            "The other nodes of the receiving cluster apply with one thread, and flow control may slow the replica."
        )
        found.append(Reason("one_galera_applier", sentence, {"wsrep_slave_threads": 1}))
    return tuple(found)
