"""Proves from the servers' own logs what the console claims of its statements.

One intent per statement and at most one statement per intent; every statement is one of its plan's, on a node that
its plan names; nothing of an old epoch after the takeover; and no session is killed but a predecessor's.
"""

from __future__ import annotations

import re
from collections import Counter

from tests.faults.judges.record import Intent, Record
from tests.faults.judges.wire import Wire, plain
from tests.galera.console import Json

UNSENT = frozenset({"failed", "intended", "indeterminate"})
"""Outcomes of which no statement need have reached a server."""
_MARK = re.compile(r"\\\{\\\{.*?\\\}\\\}")
_KILL = re.compile(r"KILL (\d+)\s*$", re.I)
Key = tuple[str, int, str]


def breaks(record: Record, wires: list[Wire]) -> list[str]:
    """Sentences that name each broken rule; none is the proof."""
    sent = [wire for wire in wires if not _KILL.match(wire.plain)]
    return [
        *_intents(record, sent),
        *_plans(record, sent),
        *_epochs(record, sent),
        *_kills(record, wires),
    ]


def _key(intent: Intent) -> Key:
    return intent.node, intent.session, plain(intent.sql)


def _intents(record: Record, wires: list[Wire]) -> list[str]:
    """As many statements as intents, save those proven unsent."""
    seen = Counter((wire.node, wire.session, wire.plain) for wire in wires)
    meant: dict[Key, list[Intent]] = {}
    for intent in record.intents:
        meant.setdefault(_key(intent), []).append(intent)
    found = [f"no intent for {key} (sent {count} times)" for key, count in seen.items() if key not in meant]
    for key, intents in meant.items():
        certain = sum(intent.state not in UNSENT for intent in intents)
        if not certain <= seen[key] <= len(intents):
            found.append(f"{len(intents)} intents ({certain} said to be done), {seen[key]} statements: {key}")
    return found


def _plans(record: Record, wires: list[Wire]) -> list[str]:
    """Statements are the plan's own (or its undo), on the plan's nodes."""
    found = []
    by_key = {_key(intent): intent for intent in record.intents}
    for wire in wires:
        intent = by_key.get((wire.node, wire.session, wire.plain))
        if intent is None:
            continue  # told already
        step = record.plans[intent.run]["steps"][intent.step]
        if step["node"] != wire.node:
            found.append(f"{wire.sql!r} went to {wire.node}, the plan's step {intent.step} names {step['node']}")
        if not any(is_filled(template, wire.plain) for template in (*step["sql"], *step["undo"])):
            found.append(f"{wire.plain!r} is not what the plan showed at step {intent.step}: {_shown(step)}")
    return found


def _shown(step: Json) -> str:
    return " | ".join((*step["sql"], *step["undo"]))


def is_filled(template: str, sql: str) -> bool:
    """Whether a statement is a plan's one with its marks filled in."""
    pattern = _MARK.sub(r"[A-Za-z0-9_.,-]+", re.escape(plain(template)))
    return re.fullmatch(pattern, sql) is not None


def _epochs(record: Record, wires: list[Wire]) -> list[str]:
    """On each node the epochs of a run never fall; nowhere does one appear a second after its successor began."""
    by_key = {_key(intent): intent for intent in record.intents}
    highest: dict[tuple[str, str], int] = {}
    found = []
    for wire in wires:
        intent = by_key.get((wire.node, wire.session, wire.plain))
        if intent is None:
            continue
        place = (intent.run, wire.node)
        if intent.epoch < highest.get(place, 0):
            found.append(f"{wire.node} got {wire.plain!r} of epoch {intent.epoch} after epoch {highest[place]}")
        highest[place] = max(intent.epoch, highest.get(place, 0))
        successor = record.claims.get((intent.run, intent.epoch + 1))
        if successor is not None and wire.second > successor:
            found.append(f"{wire.node} got {wire.plain!r} of epoch {intent.epoch} after the takeover")
    return found


def _kills(record: Record, wires: list[Wire]) -> list[str]:
    sessions = {(intent.node, intent.session) for intent in record.intents}
    kills = [(wire.node, int(match[1])) for wire in wires if (match := _KILL.match(wire.plain))]
    return [f"session {number} on {node} was killed, and was nobody's" for node, number in set(kills) - sessions]
