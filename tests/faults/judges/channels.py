"""Replays START, STOP and RESET in their order and tells whether two channels ever carried one direction.

What was sent is taken from the servers' own logs, from every sender; the order across nodes is that of the console's
intents (each is stored before its statement leaves), and on one node it is the log's. A START counts unless its server
refused it, a STOP only once it is known to be done: until then its threads may go on.

What a server starts when it returns is no statement: it is named by `stray` findings and cleaned by a plan.
But from then on its channel runs again, and a START beside it is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.faults.judges.general_log import Wire
from tests.faults.judges.record import Intent, Record
from tests.faults.judges.statements import paired

BOTH = frozenset({"IO", "SQL"})
_VERB = re.compile(r"(START|STOP|RESET) (?:ALL )?SLAVES?(?: '[^']*')?(?: (.*))?$", re.I)
_REFUSED = re.compile(r"error \d+: ")
"""What a server itself answered, as against an answer that never came."""


@dataclass(frozen=True)
class Event:
    """Something that happened to the channel a node holds: a statement, its server's end or return, its loss."""

    at: float
    node: str
    what: str
    index: int = 0


@dataclass
class Replay:
    """Which threads of a channel run on which node, by the site that receives."""

    running: dict[str, frozenset[str]] = field(default_factory=dict)
    down: set[str] = field(default_factory=set)
    breaks: list[str] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """One event."""
        if event.what == "down":
            self.down.add(event.node)
        elif event.what == "up":
            self.down.discard(event.node)
        elif event.what == "forgot":
            self.down.discard(event.node)
            self.running.pop(event.node, None)
        elif (match := _VERB.match(event.what)) is not None:
            self._obey(event.node, match[1].upper(), _threads(match[2] or ""))

    def _obey(self, node: str, verb: str, threads: frozenset[str]) -> None:
        before = self.running.get(node, frozenset())
        if verb == "START":
            peers = {n for n, runs in self.running.items() if runs and site(n) == site(node)} - self.down - {node}
            if peers:
                self.breaks.append(f"{node} was started while {', '.join(sorted(peers))} still ran that direction")
            self.running[node] = before | threads
        else:
            self.running[node] = before - (BOTH if verb == "RESET" else threads)


def _threads(rest: str) -> frozenset[str]:
    """Those a statement names; both where it names none."""
    return frozenset(thread for thread in BOTH if f"{thread}_THREAD" in rest.upper()) or BOTH


def site(node: str) -> str:
    """`a` of `db-a1`."""
    return node[3]


def breaks(running: Iterable[str], record: Record, wires: Iterable[Wire], further: Iterable[Event]) -> list[str]:
    """Instants with a second channel; `running` held one at the beginning, `further` are deaths and returns."""
    replay = Replay(dict.fromkeys(running, BOTH))
    for event in sorted([*_sent(record, wires), *further], key=lambda event: (event.at, event.index)):
        replay.take(event)
    return replay.breaks


def _sent(record: Record, wires: Iterable[Wire]) -> Iterator[Event]:
    """Statements that took effect; one that is not the console's own has only its log's whole second."""
    latest: dict[str, float] = {}
    for wire, intent in paired(record, [wire for wire in wires if _VERB.match(wire.plain)]):
        at = max(latest.get(wire.node, 0.0), intent.at if intent else float(wire.second))
        latest[wire.node] = at
        if intent is None or _took_effect(intent, wire):
            yield Event(at, wire.node, wire.plain, wire.index)


def _took_effect(intent: Intent, wire: Wire) -> bool:
    if wire.plain.upper().startswith("START"):
        return not (intent.state == "failed" and _REFUSED.search(intent.error))
    return intent.state in ("ok", "observed")
