"""Withdraws what a stolen token requested or approved and what has not begun yet."""

from __future__ import annotations

from django.db import transaction

from backend.core.plural import pluralize
from backend.identity.accounts.models import ApiToken
from backend.operations.runs import states
from backend.operations.runs.execution.authorization import missing_approvals
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.services.approval import WAITING, end_waiting
from backend.operations.runs.services.decisions import move, publish, run_withdraw


@transaction.atomic
def withdraw_of_token(actor: str, token: ApiToken) -> list[str]:
    """End the runs that were requested or resumed with the revoked token, and tell those that it approved.

    An approval with a token that has ended counts no more: its run waits for another one. Returns what each was.
    """
    requested = list(Run.objects.filter(token_id=token.pk, state__in=states.NOT_STARTED).select_related("plan", "link"))
    for run in requested:
        _withdraw(run, actor, token)
    approved = Run.objects.filter(state=RunState.WAITING_APPROVAL.value, approvals__token_id=token.pk).distinct()
    waiting = list(approved.select_related("plan", "link"))
    for run in waiting:
        move(run, WAITING)
        left = pluralize(missing_approvals(run), "approval")
        publish(run, actor, "withdraw_approval", _reason(token), f"Still missing: {left}", severity="warning")
    return [
        *(f"It requested run {run.pk} of {run.link.name}, which had not begun." for run in requested),
        *(f"It approved run {run.pk} of {run.link.name}, which waits for another approval." for run in waiting),
    ]


def _withdraw(run: Run, actor: str, token: ApiToken) -> None:
    if run.state == RunState.WAITING_APPROVAL:
        end_waiting(run, _reason(token))
        publish(run, actor, "withdraw", _reason(token), _reason(token), severity="warning")
    else:
        run_withdraw(actor=actor, run=run, comment=_reason(token))


def _reason(token: ApiToken) -> str:
    return f"Token {token.pk} of {token.user.username} was revoked as compromised."
