"""Exceptions to the rules that the runs of a period made.

Attestations, overridden checks, servers that were never tried, the second person waived.
"""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.servers import ACCEPTED
from backend.core.findings import Finding
from backend.core.history.people import actor_of, approval_phrase
from backend.core.history.stored_run import StoredRun
from backend.core.plans.attestations import attestation_of
from backend.core.reports.readiness_facts import NotedException


def exceptions_of(run: StoredRun) -> Iterator[NotedException]:
    """Those of one run, as its plan and its approvals tell them."""
    options = run.plan.get("options") or {}
    for stored in run.plan.get("findings") or ():
        if stored["code"] == ACCEPTED:
            yield NotedException(run.created_at, "untried servers accepted", stored["message"], run.id)
        given = attestation_of(Finding.from_json(stored), options)
        if given is not None and given.is_given:
            what = "check overridden" if given.is_override else "attestation"
            sentence = f"{actor_of(run)}: “{given.label}”. Finding: {stored['message']}"
            yield NotedException(run.created_at, what, sentence, run.id)
    for approval in run.approvals:
        if approval.is_exception:
            sentence = f"{actor_of(run)} started a run {approval_phrase(run)}."
            yield NotedException(approval.at, "second person waived", sentence, run.id)
