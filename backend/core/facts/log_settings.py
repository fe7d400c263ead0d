"""Settings with which two logs show less of the same transaction: each leaves a part of its content uncompared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backend.core.findings import Finding, Severity
from backend.core.topology import NodeFacts


def log_setting_findings(nodes: Sequence[NodeFacts]) -> Iterator[Finding]:
    """A warning for each such setting on these nodes; a setting that a node does not report does not count."""
    partial = [node for node in nodes if (node.variable("binlog_row_image") or "FULL").upper() != "FULL"]
    if partial:
        yield _finding(
            "row_image_partial",
            f"binlog_row_image is {_values(partial, 'binlog_row_image')}. Row sizes there do not compare with those of "
            "another log, and orphans logged there cannot be replayed or undone.",
            f"Set binlog_row_image=FULL in the configuration of {_names(partial)} and restart.",
            partial,
        )
    if len({_compression(node) for node in nodes} - {None}) > 1:
        values = ", ".join(f"{node.node.name}: {_compression(node)}" for node in nodes if _compression(node))
        yield _finding(
            "log_compression_differs",
            f"log_bin_compress differs ({values}). The sizes of compressed rows do not compare.",
            "Set log_bin_compress and log_bin_compress_min_len to the same values on all nodes of both clusters.",
            nodes,
        )
    unread = [node for node in nodes if _is_off(node, "replicate_annotate_row_events")]
    if unread:
        yield _finding(
            "statement_text_dropped",
            f"replicate_annotate_row_events is OFF on {_names(unread)}. What channels apply there is logged without "
            "the statements' texts.",
            f"Set replicate_annotate_row_events=ON in the configuration of {_names(unread)} and restart.",
            unread,
        )
    silent = [node for node in nodes if _is_off(node, "binlog_annotate_row_events")]
    if silent:
        yield _finding(
            "statement_text_not_logged",
            f"binlog_annotate_row_events is OFF on {_names(silent)}. What clients write there is logged without the "
            "statements' texts, so more transactions look alike.",
            f"Run SET GLOBAL binlog_annotate_row_events = ON on {_names(silent)}, and set it in the configuration.",
            silent,
        )


def _finding(code: str, message: str, remedy: str, nodes: Sequence[NodeFacts]) -> Finding:
    return Finding(code, Severity.WARNING, message, remedy, {"nodes": [node.node.name for node in nodes]})


def _values(nodes: Sequence[NodeFacts], variable: str) -> str:
    return ", ".join(f"{node.variable(variable)} on {node.node.name}" for node in nodes)


def _names(nodes: Sequence[NodeFacts]) -> str:
    return ", ".join(node.node.name for node in nodes)


def _is_off(node: NodeFacts, variable: str) -> bool:
    return (node.variable(variable) or "").upper() in ("OFF", "0")


def _compression(node: NodeFacts) -> str | None:
    """ON with the length from which rows are compressed, OFF, or None where it is unknown."""
    value = node.variable("log_bin_compress")
    if value is None or _is_off(node, "log_bin_compress"):
        return value and "OFF"
    return f"ON from {node.variable('log_bin_compress_min_len') or 'an unknown number of'} bytes"
