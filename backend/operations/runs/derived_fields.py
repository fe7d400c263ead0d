"""What a shown plan or run says beyond what is stored of it; none of it is part of a plan's digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from backend.core.checks.servers import ACCEPTED
from backend.core.findings import Finding
from backend.core.plan import Step
from backend.core.plans.attestations import attestation_of
from backend.core.plans.step_effects import effect_of
from backend.core.plans.step_proofs import proofs_of
from backend.core.runner.time_spent import time_spent
from backend.core.runner.write_pause import write_pause
from backend.operations.runs.models import SUPERSEDED_BY, Approval, Run, RunState, RunStep, StepState


def with_attestations(findings: Iterable[dict[str, Any]], options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan's findings, each with what a person may attest about it or attested."""
    for finding in findings:
        attestation = attestation_of(Finding.from_json(finding), options)
        yield {**finding, "attestation": asdict(attestation) if attestation else None}


def accepted_servers(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    """For each cluster of servers that were never tried, who accepted plans with them, in a sentence."""
    return [finding["message"] for finding in findings if finding["code"] == ACCEPTED]


def effects_and_proofs(steps: Sequence[Mapping[str, Any]], target: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """For each step of a plan what it changes and what the run proves in it."""
    for step, proof in zip(steps, proofs_of([Step.from_json(step) for step in steps], target), strict=True):
        yield {"effect": asdict(effect_of(step["code"])), "proof": asdict(proof) if proof else None}


def shown_write_pause(run: Run, steps: Iterable[RunStep]) -> dict[str, Any] | None:
    """A run that failed or was aborted has undone what it did, unless a new plan took its place meanwhile."""
    is_reverted = run.state in (RunState.FAILED, RunState.ABORTED) and SUPERSEDED_BY not in run.facts
    pause = write_pause(steps, is_over=RunState(run.state).is_final, is_reverted=is_reverted)
    return None if pause is None else {**asdict(pause), "duration_s": pause.duration_s}


def shown_time_spent(run: Run, steps: Iterable[RunStep], approvals: Iterable[Approval]) -> dict[str, Any] | None:
    """Where the time of the run went; a later approval, of a resumed run, is not what its start waited for."""
    first_round = [one.at for one in approvals if one.round == 1] if run.needs_approval else []
    approved_at = max(first_round, default=None)
    spent = time_spent(
        steps,
        created_at=run.created_at,
        approved_at=approved_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
    )
    return None if spent is None else asdict(spent)


def roles_after(run: Run, steps: Sequence[RunStep]) -> dict[str, Any] | None:
    """The active and the standby side as the run left them; None of a run that does not change the roles."""
    target = run.plan.body.get("target") or {}
    swap = next((step for step in steps if step.code == "swap_roles"), None)
    if swap is None or "active_cluster" not in target:
        return None
    new, old = ({"id": target[f"{role}_cluster"], "name": target[f"{role}_name"]} for role in ("active", "standby"))
    is_swapped = swap.state == StepState.SUCCEEDED
    return {
        "active": new if is_swapped else old,
        "standby": old if is_swapped else new,
        "is_swapped": is_swapped,
        "is_opened_by_run": any(step.code == "unfence" for step in steps),
    }
