"""What a run of each kind does, as the predicate of a sentence: what was done, and what was to be done."""

from __future__ import annotations

from backend.core.history.stored_run import StoredRun
from backend.core.history.topology import Topology, before
from backend.core.plans.kinds import OPERATIONS


def done(run: StoredRun) -> str:
    """What a run that reached its result did."""
    known = OPERATIONS.get(run.kind)
    return _filled(known.done if known else "ran {kind} on {link}", run)


def to_do(run: StoredRun) -> str:
    """What a run was to do."""
    known = OPERATIONS.get(run.kind)
    return _filled(known.to_do if known else "run {kind} on {link}", run)


def _filled(sentence: str, run: StoredRun) -> str:
    sides = sides_of(run)
    names = {
        "link": run.link_name,
        "kind": run.kind,
        "old": sides.standby or "an unknown side",
        "new": sides.active or "an unknown side",
        "active": sides.active or "an unknown side",
        "standby": sides.standby or "an unknown side",
    }
    return sentence.format_map(names)


def sides_of(run: StoredRun) -> Topology:
    """The roles that the plan aims at; those of its facts where it does not change them."""
    target = run.plan.get("target") or {}
    found = before(run)
    return Topology(target.get("active_name") or found.active, target.get("standby_name") or found.standby, None)
