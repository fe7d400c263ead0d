"""Proves from the servers' own logs what the console claims of its statements.

One intent per statement, stored before it arrived, and at most one statement per intent, with an outcome once its run
is over; every statement is one of its plan's, on a node that its plan names; nothing of an old epoch after the
takeover, before which the session of each statement left open was looked for; and no session is killed but a
predecessor's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.faults.judges.general_log import Wire, looked_for, plain
from tests.faults.judges.record import Intent, Record
from tests.galera.console import Json

UNSENT = frozenset({"failed", "intended", "indeterminate"})
"""Outcomes of which no statement need have reached a server."""
FINAL = frozenset({"succeeded", "failed", "aborted"})
_MARK = re.compile(r"\\\{\\\{.*?\\\}\\\}")
_KILL = re.compile(r"KILL (\d+)\s*$", re.I)
Key = tuple[str, int, str]


def breaks(record: Record, wires: list[Wire], looks: Sequence[Wire] = ()) -> list[str]:
    """Sentences that name each broken rule; none is the proof. `looks` are questions for sessions."""
    sent = [wire for wire in wires if not _KILL.match(wire.plain)]
    return [
        *_intents(record, sent),
        *_order(record, sent),
        *_outcomes(record),
        *_plans(record, sent),
        *_epochs(record, sent),
        *_takeovers(record, sent, looks),
        *_kills(record, wires),
    ]


def _key(intent: Intent) -> Key:
    return intent.node, intent.session, plain(intent.sql)


def _meant(record: Record) -> dict[Key, list[Intent]]:
    """Intents of the same words over the same session, oldest first; a restarted server counts its sessions again."""
    meant: dict[Key, list[Intent]] = {}
    for intent in sorted(record.intents, key=lambda intent: intent.at):
        meant.setdefault(_key(intent), []).append(intent)
    return meant


def _is_stored_by(intent: Intent, wire: Wire) -> bool:
    """A server's log tells whole seconds."""
    return intent.at < wire.second + 1


def paired(record: Record, wires: Iterable[Wire]) -> Iterator[tuple[Wire, Intent | None]]:
    """Each statement with its intent: of equal ones the last that was stored by then."""
    meant = _meant(record)
    for wire in wires:
        stored = [i for i in meant.get((wire.node, wire.session, wire.plain), ()) if _is_stored_by(i, wire)]
        yield wire, stored[-1] if stored else None


def _intents(record: Record, wires: list[Wire]) -> list[str]:
    """As many statements as intents, save those proven unsent."""
    seen, meant = Counter((wire.node, wire.session, wire.plain) for wire in wires), _meant(record)
    found = [f"no intent for {key} (sent {count} times)" for key, count in seen.items() if key not in meant]
    for key, intents in meant.items():
        certain = sum(intent.state not in UNSENT for intent in intents)
        if not certain <= seen[key] <= len(intents):
            found.append(f"{len(intents)} intents ({certain} said to be done), {seen[key]} statements: {key}")
    return found


def _order(record: Record, wires: list[Wire]) -> list[str]:
    """By the second of the n-th statement, n of its intents were stored."""
    found, meant, seen = [], _meant(record), Counter[Key]()
    for wire in wires:
        key = wire.node, wire.session, wire.plain
        seen[key] += 1
        intents = meant.get(key, [])
        if sum(_is_stored_by(intent, wire) for intent in intents) < min(seen[key], len(intents)):
            times = ", ".join(str(intent.at) for intent in intents)
            found.append(f"{wire.node} got {wire.plain!r} in {wire.second}, before its intent was stored: {times}")
    return found


def _outcomes(record: Record) -> list[str]:
    """A run that is over told what became of each statement; one that a new plan superseded may never have seen it."""
    over = {
        run
        for run, now in record.runs.items()
        if now["state"] in FINAL and "Superseded by a new plan" not in now["outcome"]
    }
    return [
        f"{i.sql!r} on {i.node} was left without an outcome, and its run {i.run} is over"
        for i in record.intents
        if i.state == "intended" and i.run in over
    ]


def _plans(record: Record, wires: list[Wire]) -> list[str]:
    """Statements are the plan's own (or its undo), on the plan's nodes."""
    found = []
    for wire, intent in paired(record, wires):
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
    highest: dict[tuple[str, str], int] = {}
    found = []
    for wire, intent in paired(record, wires):
        if intent is None:
            continue
        key = (intent.run, wire.node)
        if intent.epoch < highest.get(key, 0):
            found.append(f"{wire.node} got {wire.plain!r} of epoch {intent.epoch} after epoch {highest[key]}")
        highest[key] = max(intent.epoch, highest.get(key, 0))
        successor = record.claims.get((intent.run, intent.epoch + 1))
        if successor is not None and wire.second > successor:
            found.append(f"{wire.node} got {wire.plain!r} of epoch {intent.epoch} after the takeover")
    return found


def _takeovers(record: Record, wires: list[Wire], lookups: Sequence[Wire]) -> list[str]:
    """Before a successor sends anything, it looked for the session of each statement that was left open."""
    found, sent = [], [(wire, intent) for wire, intent in paired(record, wires) if intent is not None]
    for left in record.intents:
        heirs = [wire for wire, intent in sent if intent.run == left.run and intent.epoch > left.epoch]
        if left.told_in == left.epoch or not heirs:
            continue
        first, indexes = min(h.second for h in heirs), [h.index for h in heirs if h.node == left.node]
        if not any(
            lookup.node == left.node
            and looked_for(lookup) == left.session
            and left.at - 1 < lookup.second <= first
            and lookup.index < min(indexes, default=lookup.index + 1)
            for lookup in lookups
        ):
            found.append(f"{left.node}: session {left.session} of {left.sql!r} was not looked for at the takeover")
    return found


def _kills(record: Record, wires: list[Wire]) -> list[str]:
    sessions = {(intent.node, intent.session) for intent in record.intents}
    kills = [(wire.node, int(match[1])) for wire in wires if (match := _KILL.match(wire.plain))]
    return [f"session {number} on {node} was killed, and was no worker's" for node, number in set(kills) - sessions]
