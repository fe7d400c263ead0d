"""One row for each provider option and compared variable: its value on every node, and what is recommended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from backend.core.adviser.advice.changes import ConfigurationChange, option_change, variable_change
from backend.core.adviser.advice.configuration.notes import Note, NoteKind, note_on
from backend.core.adviser.advice.configuration.profile import NOT_MEASURED, PROFILES, ProfileValue
from backend.core.adviser.advice.configuration.ranges import range_of
from backend.core.adviser.advice.differences import difference
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.layout import Layout
from backend.core.adviser.advice.options.known import KNOWN, OF_NODE
from backend.core.adviser.advice.options.values import same
from backend.core.adviser.advice.options.variables import EQUAL_VARIABLES
from backend.core.dialects.galera_configuration import OPTIONS_VARIABLE

_MakeChange = Callable[[NodeConfiguration, str, str], ConfigurationChange]


class TakesEffect(StrEnum):
    """When a changed value takes effect."""

    NOW = "now"
    RESTART = "restart"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommended value and the changes that lead there."""

    value: str
    why: str
    effect: str
    based_on: Annotated[str, "where the value is from"]
    changes: tuple[ConfigurationChange, ...]


@dataclass(frozen=True, slots=True)
class ConfigurationValue:
    """A node's value; null: it does not show the setting, or was not read."""

    node: str
    value: str | None


@dataclass(frozen=True, slots=True)
class ConfigurationRow:
    """One setting on every node."""

    name: str
    is_option: Annotated[bool, "a provider option, else a server variable"]
    values: tuple[ConfigurationValue, ...]
    default: str | None
    meaning: str
    must_be_equal: bool
    differs: Annotated[bool | None, "null: not all nodes are known"]
    takes_effect: TakesEffect
    can_be_planned: Annotated[bool, "whether a plan (configure) may set the recommended value"]
    note_kind: NoteKind
    note: str
    recommendation: Recommendation | None


def _can_be_planned(name: str, wanted: Recommendation | None) -> bool:
    """Whether a plan may make the recommended changes: each has a statement, and the value is accepted."""
    known = range_of(name)
    if known is None or wanted is None or not known.accepts(wanted.value):
        return False
    return all(change.sql.startswith(f"SET GLOBAL {_variable(change)} ") for change in wanted.changes)


def _variable(change: ConfigurationChange) -> str:
    """What the statement of a plan sets; options of the plugin are other variables, which plans do not set."""
    return OPTIONS_VARIABLE if change.is_option else change.name


def configuration_rows(cluster: ClusterConfiguration, layout: Layout) -> list[ConfigurationRow]:
    """All rows by name, options first; `layout` chooses the profile."""
    return [*_option_rows(cluster, layout), *_variable_rows(cluster)]


def _option_rows(cluster: ClusterConfiguration, layout: Layout) -> Iterator[ConfigurationRow]:
    profile = {wanted.name: wanted for wanted in PROFILES[layout]}
    for name in sorted({name for node in cluster.read for name in node.options}):
        known = KNOWN.get(name)
        why = known.why_equal if known else ""
        note = next((n for n in (note_on(node, name) for node in cluster.read) if n.kind is not NoteKind.NONE), Note())
        values = tuple(ConfigurationValue(node.name, node.options.get(name)) for node in cluster.nodes)
        wanted = (
            _to_note(cluster, name, note)
            or _to_profile(cluster, profile.get(name))
            or _to_majority(cluster, name, why, values, option_change)
        )
        yield ConfigurationRow(
            name,
            is_option=True,
            values=values,
            default=known.default if known else None,
            meaning=known.meaning if known else "",
            must_be_equal=bool(why),
            differs=None if name in OF_NODE else _differs(values),
            takes_effect=_effect(known.is_dynamic if known else None),
            can_be_planned=_can_be_planned(name, wanted),
            note_kind=note.kind,
            note=note.text,
            recommendation=wanted,
        )


def _variable_rows(cluster: ClusterConfiguration) -> Iterator[ConfigurationRow]:
    for name, known in sorted(EQUAL_VARIABLES.items()):
        values = tuple(ConfigurationValue(node.name, node.variables.get(name)) for node in cluster.nodes)
        wanted = _to_majority(cluster, name, known.why_equal, values, variable_change)
        if any(one.value is not None for one in values):
            yield ConfigurationRow(
                name,
                is_option=False,
                values=values,
                default=None,
                meaning="",
                must_be_equal=True,
                differs=_differs(values),
                takes_effect=_effect(known.is_dynamic),
                can_be_planned=_can_be_planned(name, wanted),
                note_kind=NoteKind.NONE,
                note="",
                recommendation=wanted,
            )


def _differs(values: tuple[ConfigurationValue, ...]) -> bool | None:
    shown = [one.value for one in values if one.value is not None]
    if any(not same(shown[0], value) for value in shown[1:]):
        return True
    return None if len(shown) < len(values) else False


def _effect(is_dynamic: bool | None) -> TakesEffect:
    if is_dynamic is None:
        return TakesEffect.UNKNOWN
    return TakesEffect.NOW if is_dynamic else TakesEffect.RESTART


def _to_note(cluster: ClusterConfiguration, name: str, note: Note) -> Recommendation | None:
    if note.wanted is None:
        return None
    nodes = [node for node in cluster.read if note_on(node, name).kind is note.kind]
    changes = tuple(option_change(node, name, note.wanted) for node in nodes)
    return Recommendation(note.wanted, note.text, note.text, "measured in the lab, Galera 26.4.23", changes)


def _to_profile(cluster: ClusterConfiguration, wanted: ProfileValue | None) -> Recommendation | None:
    if wanted is None:
        return None
    short = [node for node in cluster.read if wanted.name in node.options]
    short = [node for node in short if not wanted.is_met(node.options[wanted.name])]
    changes = tuple(option_change(node, wanted.name, wanted.value) for node in short)
    return Recommendation(wanted.value, wanted.why, wanted.effect, wanted.source, changes) if changes else None


def _to_majority(
    cluster: ClusterConfiguration,
    name: str,
    why: str,
    values: tuple[ConfigurationValue, ...],
    change: _MakeChange,
) -> Recommendation | None:
    """The value of most nodes, where they must agree and do not; none in a tie."""
    found = difference(name, why, {one.node: one.value for one in values}) if why else None
    if found is None or found.wanted is None:
        return None
    changes = tuple(change(node, name, found.wanted) for node in cluster.read if node.name in found.deviating)
    return Recommendation(found.wanted, why, NOT_MEASURED, "the value of most nodes", changes)
