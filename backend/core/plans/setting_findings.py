"""Why settings cannot be changed on running nodes, and what becomes of each that can; unknown never passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backend.core.adviser.advice.changes import ConfigurationChange
from backend.core.adviser.advice.configuration.ranges import NOT_ABOVE, is_option, range_of
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.options.known import KNOWN
from backend.core.adviser.advice.options.variables import EQUAL_VARIABLES
from backend.core.dialects.galera_configuration import OPTIONS_VARIABLE, PLUGIN_PREFIX, privilege_to_set
from backend.core.findings import Finding, Severity

Changes = Mapping[str, Sequence[ConfigurationChange]]


def setting_findings(
    cluster: ClusterConfiguration,
    values: Mapping[str, str],
    changes: Changes,
    may_set: Mapping[str, Mapping[str, bool]],
) -> Iterator[Finding]:
    """All of them, those of the request first."""
    refused = [finding for name, value in values.items() for finding in _of_value(name, value)]
    yield from refused
    for node in cluster.nodes:
        yield from _of_node(node, values)
    if refused:
        return
    for node in cluster.read:
        yield from _pairs(node, values)
        yield from _privileges(node, changes[node.node_id], may_set.get(node.node_id))
    yield from _effects(cluster, values, changes)


def _of_value(name: str, value: str) -> Iterator[Finding]:
    facts = {"setting": name, "value": value}
    allowed = range_of(name)
    if allowed is None:
        known = KNOWN.get(name) or EQUAL_VARIABLES.get(name)
        if known is not None and not known.is_dynamic:
            yield Finding(
                "setting_needs_restart",
                Severity.BLOCKER,
                f"{name} takes effect only when a node starts.",
                "Take the lines of the page Configuration for each node's file, and restart one node at a time.",
                facts,
            )
        else:
            yield Finding(
                "setting_not_changed_by_plans",
                Severity.BLOCKER,
                f"Plans do not change {name}: no safe range is known, or channels or applications rest on it.",
                "Leave it out. Change it by hand, one node at a time, by the documentation of your server.",
                facts,
            )
    elif not allowed.accepts(value):
        yield Finding(
            "setting_out_of_range",
            Severity.BLOCKER,
            f"{value} is no value for {name}.",
            f"Choose {allowed.sentence}.",
            facts,
        )


def _of_node(node: NodeConfiguration, values: Mapping[str, str]) -> Iterator[Finding]:
    facts = {"node": node.name}
    if not node.is_read:
        yield Finding(
            "settings_unread",
            Severity.UNKNOWN,
            f"The settings of {node.name} could not be read: {node.error}.",
            f"Bring {node.name} back, then create the plan again.",
            facts,
        )
        return
    options = [name for name in values if is_option(name)]
    if node.has_plugin and options:
        variable = PLUGIN_PREFIX + options[0].replace(".", "_")
        yield Finding(
            "setting_by_provider_plugin",
            Severity.BLOCKER,
            f"{node.name} loads the plugin wsrep_provider: its provider options are variables, which plans do not set.",
            f"Set the variables by hand, one node at a time: SET GLOBAL {variable} = …",
            facts,
        )
    for name in values:
        if name not in (node.options if is_option(name) else node.variables):
            yield Finding(
                "settings_unread",
                Severity.UNKNOWN,
                f"{node.name} does not show {name}.",
                "Leave it out: this server does not have it, or the console cannot read it.",
                {**facts, "setting": name},
            )


def _pairs(node: NodeConfiguration, values: Mapping[str, str]) -> Iterator[Finding]:
    """A bound that would be broken on this node, by values that are set or stay."""
    after = {**node.options, **values}
    for lower, upper in NOT_ABOVE:
        if lower not in values and upper not in values:
            continue
        low, high = (known.read(after.get(name, "")) if (known := range_of(name)) else None for name in (lower, upper))
        if low is None or high is None or low > high:
            yield Finding(
                "settings_out_of_order",
                Severity.BLOCKER,
                f"On {node.name} {lower} would be {after.get(lower)} and {upper} {after.get(upper)}; {lower} may not "
                f"be the greater one.",
                f"Choose values for both, with {lower} at most {upper}.",
                {"node": node.name},
            )


def _privileges(
    node: NodeConfiguration, changes: Sequence[ConfigurationChange], may: Mapping[str, bool] | None
) -> Iterator[Finding]:
    needed = {privilege_to_set(OPTIONS_VARIABLE if one.is_option else one.name, node.flavor) for one in changes}
    for privilege in sorted(needed):
        facts = {"node": node.name, "privilege": privilege}
        if may is None or privilege not in may:
            yield Finding(
                "setting_privilege_unknown",
                Severity.UNKNOWN,
                f"It is unknown whether the operator account has {privilege} on {node.name}.",
                f"Check that the operator account can log in to {node.name}.",
                facts,
            )
        elif not may[privilege]:
            yield Finding(
                "setting_privilege_missing",
                Severity.BLOCKER,
                f"The operator account lacks {privilege} on {node.name}, which SET GLOBAL of these settings needs.",
                f"Grant {privilege} to the operator account for the time of the change and revoke it afterwards. "
                "Or run the statements of the page Configuration by hand.",
                facts,
            )


def _effects(cluster: ClusterConfiguration, values: Mapping[str, str], changes: Changes) -> Iterator[Finding]:
    made = [change for of_node in changes.values() for change in of_node]
    if not made:
        yield Finding(
            "nothing_to_configure",
            Severity.BLOCKER,
            f"Every node of {cluster.name} that was read has these values already.",
            "Do nothing.",
        )
    for name in values:
        nodes = [change for change in made if change.name == name]
        if not nodes:
            continue
        unwritten = [change.node for change in nodes if not change.sql or not change.undo]
        if unwritten:
            yield Finding(
                "settings_unread",
                Severity.UNKNOWN,
                f"No statement can set {name} on {', '.join(unwritten)} and set its present value again.",
                "Change it by hand.",
                {"setting": name},
            )
        yield Finding(
            "setting_is_changed",
            Severity.WARNING,
            f"{name} becomes {nodes[0].after} on {', '.join(one.node for one in nodes)}, until each restarts.",
            "To keep it, also add the line of the page Configuration to each node's file.",
            {"setting": name, "nodes": [change.node for change in nodes]},
        )
