"""A run in sentences: who did what, from where to where, at which position, why, with which outcome and loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from backend.core.history.loss import loss_of
from backend.core.history.operations import done, to_do
from backend.core.history.people import actor_of, approval_phrase, person
from backend.core.history.positions import positions
from backend.core.history.stored_run import StoredRun
from backend.core.history.times import duration_s, pause_phrase, short
from backend.core.history.topology_diff import Change, DiffRow, diff

_ENDS: Final = {
    "waiting_approval": "It waits for an approval",
    "queued": "It is queued",
    "running": "It is running",
    "needs_operator": "It stopped and needs an operator",
}


_RUNNING: Final = " (running)"
"""The usual state of a channel; a sentence names it only where the other end has another one."""
_OWN_WORDS: Final = frozenset({"forward", "reverse", "active", "standby", "an"})


@dataclass(frozen=True, slots=True)
class Sentences:
    """The parts of the sentence; an unknown fact is called unknown in them."""

    who_and_what: str
    from_to: str
    position: str
    why: str
    outcome: str
    loss: str

    @property
    def sentence(self) -> str:
        """All parts in one paragraph."""
        parts = (self.who_and_what, self.from_to, self.position, self.why, self.outcome, self.loss)
        return " ".join(part for part in parts if part)


def describe(run: StoredRun) -> Sentences:
    """Tell the run."""
    return Sentences(
        who_and_what=_sentence(_who_and_what(run)),
        from_to=_from_to(run),
        position=_position(run),
        why=f"Reason: “{' '.join(run.reason.split())}”." if run.reason.strip() else "No reason was given.",
        outcome=_sentence(_outcome(run)),
        loss=_sentence(loss_of(run).sentence),
    )


def _who_and_what(run: StoredRun) -> str:
    approval = approval_phrase(run)
    who = actor_of(run) + (f", {approval}," if approval else "")
    if run.state == "succeeded":
        return f"{who} {done(run)}"
    verb = "tried to" if run.is_begun else "asked to"
    return f"{who} {verb} {to_do(run)}"


def _from_to(run: StoredRun) -> str:
    return _sentence("; ".join(_described(row) for row in diff(run) if row.change is not Change.SAME))


def _described(row: DiffRow) -> str:
    if row.change is Change.ADDED:
        return f"{row.subject} added: {row.after}"
    if row.change is Change.REMOVED:
        return f"{row.subject} removed: {row.before}"
    if row.before == row.after:
        return f"{row.subject} unknown"
    old, new = row.before, row.after
    if old.endswith(_RUNNING) and new.endswith(_RUNNING):
        old, new = old.removesuffix(_RUNNING), new.removesuffix(_RUNNING)
    return f"{row.subject} from {old} to {new}"


def _position(run: StoredRun) -> str:
    reported = [f"{one.direction} {one.basis} {one.text} of {one.node or 'an unknown node'}" for one in positions(run)]
    return _sentence("; ".join(reported))


def _outcome(run: StoredRun) -> str:
    if not run.is_final:
        return _ENDS.get(run.state, f"Its state is {run.state}")
    took = f"after {short(duration_s(run))}"
    pause = pause_phrase(run)
    more = f"; {pause}" if pause else ""
    if run.state == "aborted":
        return f"Aborted by {person(run.aborted_by)} {took}{more}"
    if run.state == "failed":
        why = " ".join(run.outcome.split()).rstrip(".")
        return f"Failed {took}{more}" + (f": {why}" if why else "")
    return f"Succeeded {took}, {_verdict(run)}{more}"


def _verdict(run: StoredRun) -> str:
    if run.is_verified:
        return "verified"
    return "verified only in part" if run.verification else "not verified"


def _sentence(text: str) -> str:
    """The text with its full stop. Names keep their case, so only a word of our own gets a capital letter."""
    if not text:
        return ""
    is_word = text.partition(" ")[0] in _OWN_WORDS
    return f"{text[0].upper() if is_word else text[0]}{text[1:]}."
