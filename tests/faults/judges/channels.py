"""Replays CHANGE, START, STOP and RESET in their order and tells whether two channels ever carried one direction.

The order across nodes is that of the console's intents (each is stored before its statement leaves); on one node it is
the log's. What a server starts by itself when it comes back is no statement of the console: it is told by `stray`
findings and cleaned by a plan, and is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.faults.judges.record import Record

_VERB = re.compile(r"(START|STOP|CHANGE|RESET) (?:SLAVE|MASTER)(?: '[^']*')?(.*)$", re.I)


@dataclass(frozen=True, order=True)
class Event:
    """Something that happened to the channel a node holds."""

    at: float
    node: str
    what: str


@dataclass
class Replay:
    """Which nodes run a channel, by the site that receives."""

    running: set[str] = field(default_factory=set)
    down: set[str] = field(default_factory=set)
    breaks: list[str] = field(default_factory=list)

    def take(self, event: Event) -> None:
        """One event."""
        if event.what == "down":
            self.down.add(event.node)
        elif event.what == "up":
            self.down.discard(event.node)
            self.running.discard(event.node)  # whether it started again is the stray finding's to tell
        match = _VERB.match(event.what)
        if match is None:
            return
        verb, rest = match[1].upper(), match[2].strip().upper()
        if verb == "START":
            self._start(event, rest)
        elif (verb == "STOP" and rest != "SQL_THREAD") or verb == "RESET":
            self.running.discard(event.node)

    def _start(self, event: Event, rest: str) -> None:
        if rest == "SQL_THREAD":
            return  # applies what it has already, receives nothing
        others = {n for n in self.running - self.down - {event.node} if site(n) == site(event.node)}
        if others:
            self.breaks.append(f"{event.node} was started while {', '.join(sorted(others))} still ran that direction")
        self.running.add(event.node)


def site(node: str) -> str:
    """`a` of `db-a1`."""
    return node[3]


def breaks(running: Iterable[str], record: Record, further: Iterable[Event]) -> list[str]:
    """Instants with a second channel; `running` held one at the beginning, `further` are deaths and returns."""
    replay = Replay(set(running))
    known = {"ok", "observed"}
    own = [
        Event(intent.at, intent.node, " ".join(intent.sql.split()))
        for intent in record.intents
        if intent.state in known
    ]
    for event in sorted([*own, *further]):
        replay.take(event)
    return replay.breaks
