"""Decides whether what was tried on the nodes may be stored."""

from __future__ import annotations

from collections.abc import Sequence

from backend.common.errors import conflict, invalid
from backend.gateway.trials import Trial

ACCEPT_UNREACHABLE = "accept_unreachable"
"""The option that stores what could not be tried on nodes that do not respond."""


def check_trials(field: str, subject: str, trials: Sequence[Trial], *, accepts_unreachable: bool) -> None:
    """Refuse if a node refused, or if a node did not respond and that was not accepted. The old value is kept."""
    refused = [f"{trial.node}: {'; '.join(trial.reasons)}" for trial in trials if trial.reasons]
    if refused:
        raise invalid(
            field,
            f"{subject} does not work on {len(refused)} of {len(trials)} nodes. Nothing was changed. "
            f"{' '.join(_ended(one) for one in refused)}",
            code="trial_failed",
            status=409,
        )
    unreached = [trial.node for trial in trials if not trial.is_reached]
    if unreached and not accepts_unreachable:
        raise conflict(
            "nodes_not_tried",
            f"{', '.join(unreached)} did not respond, so that it is unknown whether this works there. Nothing was "
            f"changed. Start the node, remove it from the cluster, or repeat the change with {ACCEPT_UNREACHABLE}.",
            nodes=unreached,
        )


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", ";")) else f"{sentence}."
