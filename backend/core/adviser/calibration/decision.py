"""Whether a measurement may begin, and when it must stop. What is unknown refuses, and stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.adviser.calibration.bounds import MOST_COMMIT_MS, MOST_PAUSED, Bounds


@dataclass(frozen=True, slots=True)
class LinkAround:
    """A link of the cluster that is written to; `state` is "" where it is unknown or was not observed lately."""

    name: str
    state: str
    is_source: bool
    """Whether the cluster is its active side."""
    run_id: str | None
    """Its unfinished run."""


@dataclass(frozen=True, slots=True)
class NodeAround:
    """The node that is written to, as it says itself; None is unknown."""

    name: str
    has_probe_schema: bool | None
    lacks: tuple[str, ...] | None
    """Privileges on the probe schema that the operator account lacks."""
    is_primary: bool
    is_synced: bool
    error: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why nothing is written, or nothing more."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What goes on at one moment; `paused` is the share of the time that flow control took, None if unknown."""

    elapsed_s: float
    slowest_ms: float
    paused: float | None


def refusal(node: NodeAround, links: Sequence[LinkAround]) -> Reason | None:
    """Why the measurement may not begin."""
    return around(links) or _unfit(node)


def around(links: Sequence[LinkAround]) -> Reason | None:
    """What of the cluster's links forbids a write; asked before, and again while it goes on."""
    for link in links:
        if link.run_id is not None:
            return Reason(
                "calibration_run_unfinished",
                f"{link.name} has an unfinished run, {link.run_id}. Calibrate when it has ended.",
            )
        if not link.is_source:
            return Reason(
                "calibration_standby",
                f"The cluster is the standby of {link.name}, and a standby is not written to. Calibrate its active "
                "cluster.",
            )
        if link.state != "protected":
            return Reason(
                "calibration_link_not_protected",
                f"{link.name} is {link.state or 'not observed'}. Calibrate when it is protected again.",
            )
    return None


def _unfit(node: NodeAround) -> Reason | None:
    if node.error:
        return Reason("calibration_node_unfit", f"{node.name} did not answer: {node.error}. Choose another node.")
    if not (node.is_primary and node.is_synced):
        return Reason(
            "calibration_node_unfit",
            f"{node.name} is not synced in a primary component. Choose a node that is.",
        )
    if node.lacks is None or node.lacks:
        missing = ", ".join(node.lacks or ()) or "unknown privileges"
        return Reason(
            "calibration_grants_missing",
            f"The operator account lacks {missing} on hawser.* on {node.name}. Grant what the page of privileges says.",
        )
    if not node.has_probe_schema:
        return Reason(
            "calibration_no_probe_schema",
            f"The probe schema does not exist on {node.name}: no administrator allowed the console to write here. "
            "Create hawser.probe as the page of privileges says.",
        )
    return None


def stop(progress: Progress, links: Sequence[LinkAround], bounds: Bounds) -> Reason | None:
    """Why the measurement must stop now; its regular end, too."""
    if progress.elapsed_s >= bounds.seconds:
        return Reason("time_over", f"Its {bounds.seconds:g} s were over.")
    if progress.slowest_ms > MOST_COMMIT_MS:
        return Reason("commit_slow", f"A commit took longer than {MOST_COMMIT_MS:,.0f} ms.")
    if progress.paused is None:
        return Reason("flow_control_unknown", "The node no longer said whether flow control pauses it.")
    if progress.paused > MOST_PAUSED:
        return Reason("flow_control", f"Flow control paused the node for {progress.paused:.0%} of the time.")
    return around(links)
