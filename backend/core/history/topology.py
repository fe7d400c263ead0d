"""The roles and channels of a link before a run, as its plan was made, and after it, as its steps left them.

Directions are those of the roles at the plan's time. A step whose effect is unknown makes its channel unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from backend.core.facts.fingerprint import ONLY
from backend.core.history.stored_run import StoredRun, StoredStep
from backend.core.topology import Direction, Reach

_SOURCE: Final = ".source"
_STARTING: Final = frozenset({"start_channel", "resume_channel"})
_OF_CHANNEL: Final = frozenset({"change_source", "reset_channel", "stop_channel", *_STARTING})


@dataclass(frozen=True, slots=True)
class ChannelPlace:
    """Where a channel stands: None is unknown. `is_observed` is false where its node did not answer."""

    direction: Direction
    replica: str | None
    source: str | None
    is_running: bool | None = None
    is_observed: bool = True


@dataclass(frozen=True, slots=True)
class Topology:
    """Roles and channels at one moment; `channels` is None where they were not read, `unread` names directions."""

    active: str | None
    standby: str | None
    channels: tuple[ChannelPlace, ...] | None
    unread: frozenset[Direction] = frozenset()


def before(run: StoredRun) -> Topology:
    """As the plan found it."""
    facts: Mapping[str, Any] = run.plan.get("fingerprint") or {}
    if not facts or ONLY in facts:
        return Topology(facts.get("active"), facts.get("standby"), None)
    seen = tuple(_observed(facts))
    unseen = tuple(
        channel for channel in _unobserved(run) if not any(channel.direction is one.direction for one in seen)
    )
    places = seen + unseen
    return Topology(facts.get("active"), facts.get("standby"), places, _unread(facts, places))


def _observed(facts: Mapping[str, Any]) -> Iterator[ChannelPlace]:
    for direction in Direction:
        ending = f".{direction.value}{_SOURCE}"
        for key in sorted(key for key in facts if key.endswith(ending)):
            channel = key.removesuffix(_SOURCE)
            yield ChannelPlace(direction, key.removesuffix(ending), facts[key], _runs(facts, channel))


def _runs(facts: Mapping[str, Any], channel: str) -> bool | None:
    """A channel whose SQL thread stands applies nothing, whatever its other thread does."""
    return False if facts.get(f"{channel}.sql_running") == "No" else facts.get(f"{channel}.is_running")


def _unread(facts: Mapping[str, Any], places: tuple[ChannelPlace, ...]) -> frozenset[Direction]:
    """Directions without a channel while a node did not answer: it may hold one."""
    if all(value == Reach.UP.value for key, value in facts.items() if key.endswith(".reach")):
        return frozenset()
    return frozenset(Direction) - {channel.direction for channel in places}


def _unobserved(run: StoredRun) -> Iterator[ChannelPlace]:
    """Channels whose recorded node did not answer: the steps that move them name it."""
    for step in run.steps:
        if step.code == "change_source" and step.params.get("old_replica_id"):
            direction = Direction(step.params["direction"])
            old_source = next(
                (s.params.get("old_source_id") for s in run.steps if s.code == "locate" and _is_of(s, direction)), None
            )
            replica, source = run.name_of(step.params["old_replica_id"]), run.name_of(old_source)
            yield ChannelPlace(direction, replica, source, is_running=None, is_observed=False)


def _is_of(step: StoredStep, direction: Direction) -> bool:
    return step.params.get("direction") == direction.value


def after(run: StoredRun) -> Topology:
    """As the steps of the run left it; of an unfinished run so far."""
    found = before(run)
    channels = None if found.channels is None else list(found.channels)
    active, standby = found.active, found.standby
    for step in run.steps:
        if not (step.is_done or step.is_uncertain):
            continue
        if step.code == "swap_roles":
            sides = (step.params.get("active_name"), step.params.get("standby_name"))
            active, standby = sides if step.is_done else (None, None)
        elif channels is not None and step.code in _OF_CHANNEL:
            channels = _applied(channels, step, run)
    return Topology(active, standby, None if channels is None else tuple(channels))


def _applied(channels: list[ChannelPlace], step: StoredStep, run: StoredRun) -> list[ChannelPlace]:
    direction = Direction(step.params["direction"])
    on_node = [one for one in channels if one.direction is direction and one.replica == step.node]
    remaining = [one for one in channels if one not in on_node]
    if step.code == "change_source":
        remaining = [one for one in remaining if one.direction is not direction or one.is_observed]
        source = run.name_of(step.params.get("source_node_id")) if step.is_done else None
        return [*remaining, ChannelPlace(direction, step.node, source, is_running=False if step.is_done else None)]
    if step.code == "reset_channel":
        left = () if step.is_done else (replace(one, source=None, is_running=None) for one in on_node)
        return [*remaining, *left]
    is_running = step.code in _STARTING if step.is_done else None
    return [*remaining, *(replace(one, is_running=is_running) for one in on_node)]
