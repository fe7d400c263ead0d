"""Checks that the servers' settings allow a position to be located and a channel to run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from backend.core.checks.context import CheckContext
from backend.core.dialects.galera import FILTERS
from backend.core.dialects.tested_versions import hidden_settings
from backend.core.facts.channel_filters import filter_column, filtered_channels
from backend.core.facts.judged_settings import (
    how_to_know,
    refusing_settings,
    small_packets,
    told_settings,
    unequal_settings,
)
from backend.core.facts.variables import how_to_read
from backend.core.findings import Finding, Severity
from backend.core.server_settings import applying, binary_log, galera
from backend.core.server_settings.table import JUDGED
from backend.core.topology import NodeFacts

_COMMIT_ORDER = frozenset({galera.COMMIT_ORDER.name})
_LOG, _APPLYING = (frozenset(row.name for row in rows) for rows in (binary_log.ROWS, applying.ROWS))
_OTHERS = frozenset(row.name for row in JUDGED) - _LOG - _COMMIT_ORDER


def check_binlog(ctx: CheckContext) -> Iterator[Finding]:
    """Each node that the plan uses writes a complete row-based binary log."""
    for node in ctx.subjects:
        name = node.node.name
        wrong = refusing_settings(node, _LOG)
        yield from wrong
        if not wrong:
            yield Finding("binlog_complete", Severity.OK, f"{name} writes a complete row-based binary log.")


def check_settings(ctx: CheckContext) -> Iterator[Finding]:
    """The other settings that each node needs that the plan uses, and what the present replica has instead."""
    for node in ctx.subjects:
        yield from refusing_settings(node, _OTHERS)
    for move in ctx.moves:
        sources = ctx.link.source_cluster(move.direction)
        yield from small_packets([move.replica], sources.nodes, sources.name)
        if move.holder is not None and move.holder.replica.node.id != move.replica.node.id:
            yield from _of_present_replica(move.holder.replica, move.replica)


def _of_present_replica(present: NodeFacts, new: NodeFacts) -> Iterator[Finding]:
    """What a channel applied under another setting than the one it gets may be wrong already."""
    for finding in refusing_settings(present, _APPLYING):
        variable = str(finding.facts["variable"])
        if finding.severity is Severity.BLOCKER:
            yield Finding(
                "present_replica_setting",
                Severity.WARNING,
                f"{finding.message} {new.node.name} has {variable}={new.variable(variable)}: from now on the channel "
                "may stop where it went on before.",
                "Compare the data of both sides before you rely on the standby.",
                {**finding.facts, "new_node": new.node.name, "new_value": new.variable(variable)},
            )


def warn_of_settings(ctx: CheckContext) -> Iterator[Finding]:
    """A failover is not kept from running by a setting, and says what it is worth afterwards."""
    for node in ctx.subjects:
        for finding in refusing_settings(node):
            if finding.severity is Severity.BLOCKER:
                yield replace(finding, severity=Severity.WARNING)


def check_commit_order(ctx: CheckContext) -> Iterator[Finding]:
    """Nodes of one cluster must log in one order: below `repl.commit_order` 3 appliers may commit as they finish.

    A position from one node's log could then skip or repeat transactions on another node.
    """
    for node in ctx.link.nodes:
        if node.is_up:
            yield from refusing_settings(node, _COMMIT_ORDER)


def check_log_settings(ctx: CheckContext) -> Iterator[Finding]:
    """Both logs should show the same of a transaction; while it is unknown how rows are logged, nothing is compared."""
    values = {node.node.name: node.variable("binlog_row_image") for node in ctx.pair}
    unread = [name for name, value in values.items() if value is None]
    if unread:
        sentence = f"binlog_row_image of {' and '.join(unread)} is unknown."
        remedy = how_to_read(" and ".join(unread), ("binlog_row_image",))
        yield Finding("row_image_unknown", Severity.UNKNOWN, sentence, remedy, values)
    yield from told_settings(ctx.pair)
    yield from unequal_settings([[node] for node in ctx.pair])


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


def warn_of_filters(ctx: CheckContext) -> Iterator[Finding]:
    """What the channels of the link leave out now is missing on the receiving side, whatever the plan does."""
    yield from filtered_channels(ctx.link)


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
                how_to_know(move.replica, unknown),
                {"unknown": unknown},
            )
        elif differing:
            yield Finding(
                "filters_differ",
                Severity.BLOCKER,
                f"The replication filters of {name} differ from those of the {move.direction} channel: "
                f"{_compared(differing)}. Tables would be missing without an error.",
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


def _compared(differing: Mapping[str, tuple[str, str | None]]) -> str:
    return "; ".join(
        f"{name} is {was or 'empty'} now, and {new or 'empty'} there" for name, (was, new) in differing.items()
    )
