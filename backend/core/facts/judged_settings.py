"""What the settings of nodes say against a plan, and on a link's page while all is well; unknown never passes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from backend.core.dialects import needs_of
from backend.core.dialects.tested_versions import series_of
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts
from backend.core.plural import listed
from backend.core.server_settings import applying, binary_log
from backend.core.server_settings.judgements import (
    OF_EACH_CHANNEL,
    RESTART,
    EqualWithin,
    MustBe,
    NotBelow,
    Scope,
    Series,
    Setting,
)
from backend.core.server_settings.table import JUDGED, NEEDED, NeededSetting
from backend.core.topology import NodeFacts, NodeRef, Reach

_NAMES = tuple(dict.fromkeys((*(row.name for row in JUDGED), "max_allowed_packet", "time_zone")))
_OF_THE_LOG = frozenset(binary_log.ROWS)
_REFUSING = tuple((row, one) for row in JUDGED for one in row.needs if one.refuses and not one.told_by)
_TOLD = tuple((row, one) for row in JUDGED for one in row.needs if not one.refuses and not one.told_by)
UNSAFE = {row.name: one for row in JUDGED for one in row.needs if one.leaves_differences is not None}
"""By name the settings with which rows come to differ unseen."""
_UNSAFE_ROWS = tuple(row for row in JUDGED if row.name in UNSAFE)
KEEPING_WRITES = frozenset(row.name for row, one in _REFUSING if one.keeps_writes)
"""Names of settings with which what a node's own clients write stays there."""
_EQUAL = tuple((row, one) for row in JUDGED for one in row.judgements if isinstance(one, EqualWithin))
_SIZES = tuple((row, one) for row in JUDGED for one in row.judgements if isinstance(one, NotBelow))
_FILTERS = tuple(row.name for row in applying.FILTERS)
_READ_OF_EACH = tuple(
    (row, name, code)
    for row, names, code in (
        *((row, (row.name,), one.unknown) for row, one in _REFUSING),
        *((row, (row.name, one.other), "setting_unknown") for row, one in _SIZES),
        *((row, (row.name,), "row_image_unknown") for row in JUDGED if row.name == "binlog_row_image"),
        *((row, (row.name,), "filters_unknown") for row in applying.FILTERS),
    )
    for name in names
)
"""What a plan is refused for while it is unknown, with the code of that finding."""


def settings_of(node: NodeFacts) -> Collection[Setting]:
    """The settings that are judged on the node; of an unknown release those that any has."""
    return _judged_on(node.flavor, node.version)


@lru_cache(maxsize=256)
def _judged_on(flavor: str | None, version: str | None) -> Collection[Setting]:
    """In their order; a mapping, as it is asked for each row."""
    series = _series(version)
    return {row: None for row in JUDGED if row.exists(flavor, series)}


def _series(version: str | None) -> Series | None:
    try:
        return series_of(version or "")
    except ValueError:
        return None


def needed_on(flavor: str | None, version: str | None) -> tuple[NeededSetting, ...]:
    """The settings that need a value on such a server."""
    return tuple(one for one in NEEDED if one.row.exists(flavor, _series(version)))


def refusing_settings(node: NodeFacts, only: Collection[str] | None = None) -> list[Finding]:
    """Of each value with which no plan may use the node, and of each such value that is unknown; `only` by name."""
    found = _refusing(_seen(node))
    return [one for one in found if only is None or one.facts["variable"] in only]


_Seen = tuple[NodeRef, str | None, str | None, tuple[str | None, ...]]
"""What is judged of a node: its settings move once in months, and are asked for each second."""


def _seen(node: NodeFacts) -> _Seen:
    return node.node, node.flavor, node.version, tuple(map(node.variables.get, _NAMES))


def _as_seen(seen: _Seen) -> NodeFacts:
    ref, flavor, version, values = seen
    variables = {name: value for name, value in zip(_NAMES, values, strict=True) if value is not None}
    return NodeFacts(ref, 0.0, Reach.UP, flavor=flavor, version=version, variables=variables)


@lru_cache(maxsize=4096)
def _refusing(seen: _Seen) -> tuple[Finding, ...]:
    node = _as_seen(seen)
    there = settings_of(node)
    return tuple(
        unmet(node, row, needed) for row, needed in _REFUSING if row in there and not _is_met(node, row, needed)
    )


def unsafe_values(node: NodeFacts) -> tuple[tuple[str, str], ...]:
    """The settings, with their values, with which rows come to differ unseen; an unknown one is none of them."""
    return _unsafe(_seen(node))


@lru_cache(maxsize=4096)
def _unsafe(seen: _Seen) -> tuple[tuple[str, str], ...]:
    node = _as_seen(seen)
    there = settings_of(node)
    return tuple(
        (row.name, node.variables[row.name])
        for row in _UNSAFE_ROWS
        if row in there and row.name in node.variables and not _is_met(node, row, UNSAFE[row.name])
    )


def _is_met(node: NodeFacts, row: Setting, needed: MustBe) -> bool:
    value = node.variable(row.name)
    return value is not None and (value == needed.value or needed.is_met(value))


def unmet(node: NodeFacts, row: Setting, needed: MustBe) -> Finding:
    """The finding of one value of one node that is not as needed, or unknown."""
    name, value = node.node.name, node.variable(row.name)
    facts = {"node": name, "node_id": node.node.id, "variable": row.name, "value": value, "wanted": needed.value}
    if value is None:
        remedy = how_to_know(node, (row.name,))
        return Finding(needed.unknown, Severity.UNKNOWN, f"{row.name} of {name} is unknown.", remedy, facts)
    sentence = f"{name} has {row.name}={value}. {needed.why}."
    remedy = _sentence(f"{how_to_set(row, needed, [name])}, or use another node")
    return Finding(needed.code, needed.severity, sentence, remedy, facts)


def how_to_know(node: NodeFacts, variables: Sequence[str]) -> str:
    """The remedy of settings that the node does not tell."""
    name = node.node.name
    if any(one in binary_log.FILTER_NAMES for one in variables):
        return f"Grant BINLOG MONITOR to the monitor account of {name}: SHOW MASTER STATUS tells it."
    tables = [need.on for need in needs_of(node.flavor) if "filters" in need.table]
    if tables and any(one in _FILTERS for one in variables):
        return f"Grant SELECT on {tables[0]} to the monitor account."
    return how_to_read(name, dict.fromkeys("wsrep_provider_options" if "." in one else one for one in variables))


def how_to_set(row: Setting, needed: MustBe, names: Sequence[str]) -> str:
    """What gives the setting its needed value, as the end of a sentence."""
    nodes = listed(names)
    if needed.obstacle == RESTART and not needed.value:
        return f"remove {row.name} from the configuration of {nodes} and restart it"
    if needed.obstacle == RESTART:
        where = "the wsrep_provider_options" if "." in row.name else "the configuration"
        return f"set {row.name}={needed.value} in {where} of {nodes} and restart it"
    value = needed.value or "''"
    statement = f"run SET GLOBAL {row.name} = {value} on {nodes}"
    if needed.config == OF_EACH_CHANNEL:
        return f"{statement}, for a named channel after SET default_master_connection"
    return f"{statement}, and set it in the configuration file, too"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def told_settings(nodes: Sequence[NodeFacts], only: Collection[Setting] | None = None) -> Iterator[Finding]:
    """A warning for each value that costs something, with all nodes that have it; an unknown one does not count."""
    for row, needed in _TOLD:
        if only is None or row in only:
            wrong = [node for node in _knowing(nodes, row) if not _is_met(node, row, needed)]
            if wrong:
                yield _warning(row, needed, wrong)


def _knowing(nodes: Iterable[NodeFacts], row: Setting) -> list[NodeFacts]:
    """Those that have the setting, and report it."""
    return [node for node in nodes if row.name in node.variables and row in settings_of(node)]


def _warning(row: Setting, needed: MustBe, nodes: Sequence[NodeFacts]) -> Finding:
    names = [node.node.name for node in nodes]
    shown = ", ".join(f"{node.variable(row.name)} on {node.node.name}" for node in nodes)
    return Finding(
        needed.code,
        Severity.WARNING,
        f"{row.name} is {shown}. {needed.why}.",
        _sentence(how_to_set(row, needed, names)),
        {"variable": row.name, "nodes": names, "values": [node.variable(row.name) for node in nodes]},
    )


def unequal_settings(
    sides: Sequence[Sequence[NodeFacts]], only: Collection[Setting] | None = None
) -> Iterator[Finding]:
    """A warning for each setting that nodes must share, and do not; a value that is unknown does not count."""
    every = [node for side in sides for node in side]
    for row, equal in _EQUAL:
        if only is None or row in only:
            for nodes in [every] if equal.scope is Scope.LINK else sides:
                if len({node.variables.get(row.name) for node in nodes} - {None}) > 1:
                    yield from _unequal(row, equal, _knowing(nodes, row))


def log_content_findings(nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    """Settings with which two logs show less of the same transaction: each leaves a part of its content uncompared."""
    yield from told_settings(nodes, _OF_THE_LOG)
    yield from unequal_settings([nodes], _OF_THE_LOG)


def _unequal(row: Setting, equal: EqualWithin, nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    values = {node.node.name: node.variable(row.name) or "" for node in nodes}
    if len(set(map(equal.form, values.values()))) < 2 or _is_without_effect(row, nodes):
        return
    shown = ", ".join(f"{name}: {value or '(empty)'}" for name, value in values.items())
    yield Finding(
        equal.code,
        Severity.WARNING,
        f"{row.name} differs ({shown}). {equal.why}.",
        f"{equal.remedy or _set_alike(row, tuple(values))}.",
        {"variable": row.name, "values": values},
    )


def _set_alike(row: Setting, names: Sequence[str]) -> str:
    return f"Set {row.name} to the same value on {listed(names)}, and in each configuration file"


_EFFECTIVE_WITH = {
    "log_bin_compress_min_len": ("log_bin_compress", "ON", "1"),
    "wsrep_gtid_domain_id": ("wsrep_gtid_mode", "ON", "1"),
    "system_time_zone": ("time_zone", "SYSTEM"),
}


def _is_without_effect(row: Setting, nodes: Sequence[NodeFacts]) -> bool:
    """The length from which rows are compressed matters where they are, the domain where Galera numbers in it."""
    switch, *values = _EFFECTIVE_WITH.get(row.name, ("",))
    return bool(switch) and not any((node.variable(switch) or "").upper() in values for node in nodes)


def small_packets(replicas: Sequence[NodeFacts], sources: Sequence[NodeFacts], side: str) -> Iterator[Finding]:
    """A replica that cannot read what a node of the other side may write, or perhaps not; `side` is that one's name."""
    for row, needed in _SIZES:
        for node in replicas:
            finding = _below(node, row, needed, sources, side) if row in settings_of(node) else None
            if finding is not None:
                yield finding


def _below(node: NodeFacts, row: Setting, needed: NotBelow, sources: Sequence[NodeFacts], side: str) -> Finding | None:
    name, value = node.node.name, _bytes(node.variable(row.name))
    sizes = {one.node.name: size for one in sources if (size := _bytes(one.variable(needed.other))) is not None}
    facts: dict[str, object] = {"node": name, "node_id": node.node.id, "variable": row.name, "value": value}
    silent = [one.node.name for one in sources if one.is_up and one.node.name not in sizes]
    if value is None or silent or not sizes:
        unread, where = (row.name, name) if value is None else (needed.other, " and ".join(silent) or side)
        remedy = how_to_read(where, (unread,))
        return Finding("setting_unknown", Severity.UNKNOWN, f"{unread} of {where} is unknown.", remedy, facts)
    largest = max(sizes, key=lambda one: sizes[one])
    safe = min(needed.most, needed.times * sizes[largest])
    if value >= safe:
        return None
    severity = Severity.BLOCKER if value < sizes[largest] else Severity.WARNING
    reason = f"{needed.other} of {largest} is {sizes[largest]}"
    if severity is Severity.WARNING:
        reason += f", and an UPDATE logs a row {needed.times} times"
    return Finding(
        needed.code,
        severity,
        f"{name} has {row.name}={value}, and {reason}. {needed.why}.",
        f"Run SET GLOBAL {row.name} = {needed.most} on {name}, stop and start its channel, and set it in the "
        "configuration file, too.",
        {**facts, "wanted": needed.most, "source": largest, needed.other: sizes[largest]},
    )


def _bytes(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdigit() else None


def settings_on_page(link: LinkFacts) -> tuple[Finding, ...]:
    """All of them, of every node of both clusters that responds: each may be the next to hold a channel."""
    active, standby = (tuple(_seen(node) for node in side.nodes if node.is_up) for side in (link.active, link.standby))
    return _on_page(active, standby)


@lru_cache(maxsize=1024)
def _on_page(active: tuple[_Seen, ...], standby: tuple[_Seen, ...]) -> tuple[Finding, ...]:
    sides = [[_as_seen(seen) for seen in side] for side in (active, standby)]
    nodes = [node for side in sides for node in side]
    refusing = (finding for node in nodes for finding in refusing_settings(node))
    packets = (one for side, other in (sides, sides[::-1]) for one in small_packets(side, other, ""))
    return (
        *(finding for finding in (*refusing, *packets) if finding.severity is not Severity.UNKNOWN),
        *(finding for node in nodes for finding in _unknown_settings(node)),
        *told_settings(nodes),
        *unequal_settings(sides),
    )


def _unknown_settings(node: NodeFacts) -> Iterator[Finding]:
    """Of what a plan must know of the node, and the node does not tell: one finding for each code, not each name."""
    there, name = settings_of(node), node.node.name
    unknown: dict[str, dict[str, Setting]] = {}
    for row, variable, code in _READ_OF_EACH:
        if row in there and node.variable(variable) is None:
            unknown.setdefault(code, {})[variable] = row
    for code, rows in unknown.items():
        yield Finding(
            code,
            Severity.UNKNOWN,
            f"{name} does not tell {' and '.join(rows)}. A plan that needs the node is refused.",
            how_to_know(node, tuple(rows)),
            {"node": name, "node_id": node.node.id, "variables": list(rows)},
        )
