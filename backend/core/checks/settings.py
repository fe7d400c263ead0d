"""Do the servers' settings allow a position to be found and a channel to work?"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.log_settings import log_setting_findings
from backend.core.findings import Finding, Severity
from backend.core.topology import NodeFacts

_REQUIRED = (
    ("log_bin", "ON", "it writes no binary log: nothing can follow it"),
    ("log_slave_updates", "ON", "its binary log lacks what other nodes wrote, and what it applies stays on it alone"),
    ("binlog_format", "ROW", "statements may act differently on the other side"),
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
    """What keeps the node's binary log from being complete and row-based, or is not known of it."""
    return [f for f in (_setting(node, *rule) for rule in _REQUIRED) if f is not None]


def _setting(node: NodeFacts, variable: str, wanted: str, why: str) -> Finding | None:
    name, value = node.node.name, node.variable(variable)
    facts = {"node": name, "variable": variable, "value": value}
    if value is None:
        return Finding(
            f"{variable}_unknown", Severity.UNKNOWN, f"{variable} of {name} is not known.", "Check the node.", facts
        )
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

    A place found in one node's log would then leave out what another node logged before it, or repeat it.
    """
    for node in ctx.link.nodes:
        value = node.variable("repl.commit_order")
        if not node.is_up or value == "3":
            continue
        name, facts = node.node.name, {"node": node.node.name, "repl.commit_order": value}
        if value is None:
            sentence = f"In which order {name} commits is not known: wsrep_provider_options was not read."
            yield Finding("commit_order_unknown", Severity.UNKNOWN, sentence, "Check the monitor account.", facts)
            continue
        yield Finding(
            "commit_order_not_guaranteed",
            Severity.BLOCKER,
            f"{name} runs with repl.commit_order={value}: its log may hold transactions in another order than its "
            "neighbours' logs, and a place in one says nothing of another.",
            "Set repl.commit_order=3 (the default) in its wsrep_provider_options and restart it.",
            facts,
        )


def check_log_settings(ctx: CheckContext) -> Iterator[Finding]:
    """Both logs should tell the same of a transaction; without knowing how rows are logged nothing is compared."""
    values = {node.node.name: node.variable("binlog_row_image") for node in ctx.pair}
    if None in values.values():
        yield Finding(
            "row_image_unknown", Severity.UNKNOWN, "binlog_row_image of a node is not known.", "Check the node.", values
        )
    yield from log_setting_findings(ctx.pair)


def check_auto_increment(ctx: CheckContext) -> Iterator[Finding]:
    """Both sites write, so their auto_increment numbers must never meet (domain fact 7)."""
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
                    f"{node.node.name} gives out the same auto_increment numbers as a node of {other}: "
                    "rows inserted at both sites will collide.",
                    "Set wsrep_auto_increment_control=OFF and a distinct auto_increment_offset on every node.",
                    {"increment": key[0], "offset": int(offset)},
                )
                return
            seen[key] = cluster.name
    if unknown:
        yield Finding(
            "auto_increment_unknown",
            Severity.WARNING,
            f"auto_increment settings of {', '.join(unknown)} are not known; the move does not depend on them.",
        )
        return
    yield Finding("auto_increment_ok", Severity.OK, "auto_increment numbers of the two sites never meet.")


_FILTERS = (
    "replicate_do_db",
    "replicate_ignore_db",
    "replicate_do_table",
    "replicate_ignore_table",
    "replicate_wild_do_table",
    "replicate_wild_ignore_table",
    "replicate_rewrite_db",
)


def check_filters(ctx: CheckContext) -> Iterator[Finding]:
    """Replication filters belong to the node: on the new replica they must be those of the old one."""
    for move in ctx.moves:
        old = {name: (move.channel.options.get(_column(name), "") if move.channel else "") for name in _FILTERS}
        new = {name: move.replica.variable(name) for name in _FILTERS}
        unknown = [name for name, value in new.items() if value is None]
        if move.channel is not None:
            unknown += [name for name in _FILTERS if _column(name) not in move.channel.options]
        differing = {n: (old[n], new[n]) for n in _FILTERS if new[n] is not None and old[n] != new[n]}
        name = move.replica.node.name
        if unknown:
            yield Finding(
                "filters_unknown",
                Severity.UNKNOWN,
                f"Replication filters of {name} are not known.",
                "Check the node.",
                {"unknown": unknown},
            )
        elif differing:
            yield Finding(
                "filters_differ",
                Severity.BLOCKER,
                f"Replication filters of {name} differ from those the {move.direction} channel has now: "
                "tables would silently be missing.",
                "Make the filters equal on both nodes.",
                {n: {"now": was, "new": is_} for n, (was, is_) in differing.items()},
            )
        else:
            yield Finding("filters_equal", Severity.OK, f"Replication filters of {name} are the same.")


def _column(variable: str) -> str:
    """`replicate_do_db` to the status column `Replicate_Do_DB`."""
    parts = variable.split("_")
    return "_".join("DB" if word == "db" else word.capitalize() for word in parts)
