"""What a run of each kind does, as the predicate of a sentence: what was done, and what was to be done."""

from __future__ import annotations

from typing import Final

from backend.core.history.stored_run import StoredRun
from backend.core.history.topology import Topology, before

_DONE: Final = {
    "relocate": ("moved the channels of {link}", "move the channels of {link}"),
    "start_channel": ("started a stopped channel of {link}", "start a stopped channel of {link}"),
    "create_channels": ("created the channels of {link}", "create the channels of {link}"),
    "remove_stray_channel": ("removed a stray channel of {link}", "remove a stray channel of {link}"),
    "fence_standby": ("fenced the standby side of {link}", "fence the standby side of {link}"),
    "remove_channels": ("removed the channels of {link}", "remove the channels of {link}"),
    "switchover": ("switched {link} over from {old} to {new}", "switch {link} over from {old} to {new}"),
    "failover": ("failed {link} over from {old} to {new}", "fail {link} over from {old} to {new}"),
    "failback": ("failed {link} back from {old} to {new}", "fail {link} back from {old} to {new}"),
    "reprotect": (
        "attached {standby} to {active} again as the standby side of {link}",
        "attach {standby} to {active} again as the standby side of {link}",
    ),
    "accept_state_uuid": ("accepted a new state UUID on {link}", "accept a new state UUID on {link}"),
    "configure": ("changed settings of a cluster of {link}", "change settings of a cluster of {link}"),
    "rotate_passwords": ("rotated passwords of a cluster of {link}", "rotate passwords of a cluster of {link}"),
    "node_maintenance": ("prepared the maintenance of a node of {link}", "prepare the maintenance of a node of {link}"),
    "fence_returned_side": (
        "fenced the returned side {standby} of {link}",
        "fence the returned side {standby} of {link}",
    ),
}
_OTHER: Final = ("ran {kind} on {link}", "run {kind} on {link}")


def done(run: StoredRun) -> str:
    """What a run that reached its result did."""
    return _filled(run, 0)


def to_do(run: StoredRun) -> str:
    """What a run was to do."""
    return _filled(run, 1)


def _filled(run: StoredRun, index: int) -> str:
    sides = sides_of(run)
    names = {
        "link": run.link_name,
        "kind": run.kind,
        "old": sides.standby or "an unknown side",
        "new": sides.active or "an unknown side",
        "active": sides.active or "an unknown side",
        "standby": sides.standby or "an unknown side",
    }
    return _DONE.get(run.kind, _OTHER)[index].format_map(names)


def sides_of(run: StoredRun) -> Topology:
    """The roles that the plan aims at; those of its facts where it does not change them."""
    target = run.plan.get("target") or {}
    found = before(run)
    return Topology(target.get("active_name") or found.active, target.get("standby_name") or found.standby, None)
