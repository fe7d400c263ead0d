"""Values that differ between the nodes of a cluster, and the one that most of them have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.options.known import equal_options
from backend.core.adviser.advice.options.parse import HIDDEN
from backend.core.adviser.advice.options.values import same
from backend.core.adviser.advice.options.variables import EQUAL_VARIABLES
from backend.core.server_settings.server import standard_zone


@dataclass(frozen=True, slots=True)
class Difference:
    """One name with its values by node; `wanted` is what more nodes have than any other value, None in a tie."""

    name: str
    why: str
    by_node: Mapping[str, str]
    wanted: str | None

    @property
    def deviating(self) -> tuple[str, ...]:
        """The nodes that have another value than is wanted; all of them in a tie."""
        return tuple(n for n, value in self.by_node.items() if self.wanted is None or not same(value, self.wanted))


def option_differences(cluster: ClusterConfiguration) -> Iterator[Difference]:
    """Provider options that the nodes must agree in and do not."""
    for option in equal_options():
        found = difference(option.name, option.why_equal, {n.name: n.options.get(option.name) for n in cluster.read})
        if found:
            yield found


def variable_differences(cluster: ClusterConfiguration) -> Iterator[Difference]:
    """Server variables that the nodes must agree in and do not."""
    for variable in EQUAL_VARIABLES.values():
        seen = {node.name: _comparable(node.variables, variable.name) for node in cluster.read}
        found = difference(variable.name, variable.why_equal, seen)
        if found:
            yield found


def _comparable(variables: Mapping[str, str], name: str) -> str | None:
    """The value that counts: `SYSTEM` is the time zone of the host."""
    value = variables.get(name)
    return standard_zone(variables.get("system_time_zone", "")) if name == "time_zone" and value == "SYSTEM" else value


def difference(name: str, why: str, by_node: Mapping[str, str | None]) -> Difference | None:
    """Between the nodes that show a value; one that shows none is not compared."""
    shown = {node: value for node, value in by_node.items() if value is not None and value != HIDDEN}
    groups = _groups(list(shown.values()))
    if len(groups) < 2:
        return None
    first, second = sorted(groups, key=len, reverse=True)[:2]
    return Difference(name, why, shown, None if len(first) == len(second) else first[0])


def _groups(values: Sequence[str]) -> list[list[str]]:
    """Equal values together."""
    groups: list[list[str]] = []
    for value in values:
        group = next((group for group in groups if same(group[0], value)), None)
        if group is None:
            groups.append([value])
        else:
            group.append(value)
    return groups
