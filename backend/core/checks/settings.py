"""Checks that the servers' settings allow a position to be located and a channel to run."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.dialects import needs_of
from backend.core.dialects.galera import FILTERS
from backend.core.dialects.tested_versions import hidden_settings
from backend.core.facts.log_settings import log_setting_findings
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.topology import NodeFacts

_REQUIRED = (
    ("log_bin", "ON", "it writes no binary log, so no channel can replicate from it"),
    (
        "log_slave_updates",
        "ON",
        "its log lacks the writes of other nodes, and what its channels apply stays on it alone",
    ),
    ("binlog_format", "ROW", "statements may have another effect on the other side"),
)


def check_binlog(ctx: CheckContext) -> Iterator[Finding]:
    """Both nodes write a complete row-based binlog."""
    for node in ctx.subjects:
        name = node.node.name
        wrong = binlog_findings(node)
        yield from wrong
        if not wrong:
            yield Finding("binlog_complete", Severity.OK, f"{name} writes a complete row-based binary log.")


def binlog_findings(node: NodeFacts) -> list[Finding]:
    """Settings by which the node's binary log is not complete and row-based, or that are unknown."""
    return [f for f in (_setting(node, *rule) for rule in _REQUIRED) if f is not None]


def _setting(node: NodeFacts, variable: str, wanted: str, why: str) -> Finding | None:
    name, value = node.node.name, node.variable(variable)
    facts = {"node": name, "variable": variable, "value": value}
    if value is None:
        remedy = how_to_read(name, (variable,))
        return Finding(f"{variable}_unknown", Severity.UNKNOWN, f"{variable} of {name} is unknown.", remedy, facts)
    if value.upper() in (wanted, "1" if wanted == "ON" else wanted):
        return None
    return Finding(
        f"{variable}_wrong",
        Severity.BLOCKER,
        f"{name} has {variable}={value}: {why}.",
        f"Choose another node, or set {variable}={wanted} in its configuration and restart it.",
        facts,
    )


def check_commit_order(ctx: CheckContext) -> Iterator[Finding]:
    """Nodes of one cluster must log in one order: below `repl.commit_order` 3 appliers may commit as they finish.

    A position from one node's log could then skip or repeat transactions on another node.
    """
    for node in ctx.link.nodes:
        value = node.variable("repl.commit_order")
        if not node.is_up or value == "3":
            continue
        name, facts = node.node.name, {"node": node.node.name, "repl.commit_order": value}
        if value is None:
            sentence = f"The commit order of {name} is unknown: wsrep_provider_options was not read."
            remedy = how_to_read(name, ("wsrep_provider_options",))
            yield Finding("commit_order_unknown", Severity.UNKNOWN, sentence, remedy, facts)
            continue
        yield Finding(
            "commit_order_not_guaranteed",
            Severity.BLOCKER,
            f"{name} runs with repl.commit_order={value}. Its log may order transactions differently than its peers' "
            "logs, so a position in one does not apply to another.",
            f"Set repl.commit_order=3 (the default) in the wsrep_provider_options of {name} and restart it.",
            facts,
        )


def check_log_settings(ctx: CheckContext) -> Iterator[Finding]:
    """Both logs should show the same of a transaction; while it is unknown how rows are logged, nothing is compared."""
    values = {node.node.name: node.variable("binlog_row_image") for node in ctx.pair}
    unread = [name for name, value in values.items() if value is None]
    if unread:
        sentence = f"binlog_row_image of {' and '.join(unread)} is unknown."
        remedy = how_to_read(" and ".join(unread), ("binlog_row_image",))
        yield Finding("row_image_unknown", Severity.UNKNOWN, sentence, remedy, values)
    yield from log_setting_findings(ctx.pair)


def check_auto_increment(ctx: CheckContext) -> Iterator[Finding]:
    """Both sites write, so their auto_increment values must not overlap (domain fact 7)."""
    seen: dict[tuple[int, int], str] = {}
    unknown: list[str] = []
    for cluster in ctx.clusters:
        for node in cluster.nodes:
            step, offset = node.variable("auto_increment_increment"), node.variable("auto_increment_offset")
            if step is None or offset is None:
                unknown.append(node.node.name)
                continue
            key = (int(step), int(offset) % int(step))
            other = seen.get(key)
            if other is not None and other != cluster.name:
                yield Finding(
                    "auto_increment_overlap",
                    Severity.WARNING,
                    f"auto_increment values of {node.node.name} overlap with those of a node of {other}. "
                    "Inserts at both sites will collide.",
                    "Set wsrep_auto_increment_control=OFF and a distinct auto_increment_offset on every node.",
                    {"increment": key[0], "offset": int(offset)},
                )
                return
            seen[key] = cluster.name
    if unknown:
        yield Finding(
            "auto_increment_unknown",
            Severity.WARNING,
            f"The auto_increment settings of {', '.join(unknown)} are unknown. The move does not depend on them.",
        )
        return
    yield Finding("auto_increment_ok", Severity.OK, "auto_increment values of the two sides do not overlap.")


def _how_to_know_filters(node: NodeFacts, unknown: list[str]) -> str:
    """MySQL has no variables for them, but a table that needs a grant."""
    tables = [need.on for need in needs_of(node.flavor) if "filters" in need.table]
    if tables:
        return f"Grant SELECT on {tables[0]} to the monitor account."
    return how_to_read(node.node.name, dict.fromkeys(unknown))


def check_filters(ctx: CheckContext) -> Iterator[Finding]:
    """Replication filters are settings of the node: the new replica must have the same ones as the old replica."""
    for move in ctx.moves:
        old = {name: (move.channel.options.get(filter_column(name), "") if move.channel else "") for name in FILTERS}
        new = {name: move.replica.variable(name) for name in FILTERS}
        unknown = [name for name, value in new.items() if value is None]
        hidden = hidden_settings(move.replica.version)
        holder = move.holder.replica if move.holder else move.replica
        if move.channel is not None:
            shown_filters = [name for name in FILTERS if name not in hidden_settings(holder.version)]
            unknown += [name for name in shown_filters if filter_column(name) not in move.channel.options]
        differing = {n: (old[n], new[n]) for n in FILTERS if new[n] is not None and old[n] != new[n]}
        name = move.replica.node.name
        if unknown:
            yield Finding(
                "filters_unknown",
                Severity.UNKNOWN,
                f"The replication filters of {name} are unknown.",
                _how_to_know_filters(move.replica, unknown),
                {"unknown": unknown},
            )
        elif differing:
            yield Finding(
                "filters_differ",
                Severity.BLOCKER,
                f"The replication filters of {name} differ from those of the {move.direction} channel. "
                "Tables would be missing without an error.",
                "Make the filters equal on both nodes.",
                {n: {"now": was, "new": is_} for n, (was, is_) in differing.items()},
            )
        else:
            yield Finding("filters_equal", Severity.OK, f"The replication filters of {name} are the same.")
        if hidden:
            yield Finding(
                "filters_hidden",
                Severity.WARNING,
                f"{name} runs {move.replica.version}, which does not tell whether {' and '.join(hidden)} is set.",
                f"Check that the configuration of {name} sets it as that of the present replica does, or not at all.",
                {"node": name, "version": move.replica.version, "hidden": list(hidden)},
            )


def filter_column(variable: str) -> str:
    """`replicate_do_db` to the status column `Replicate_Do_DB`."""
    parts = variable.split("_")
    return "_".join("DB" if word == "db" else word.capitalize() for word in parts)
