"""Comparisons of passwords with stored ones, for a request: each is in the audit log, and they are few.

The answer says whether a password is the stored one. Without a limit a stolen token could try passwords at the
speed of the API, unseen: no server is asked, so that none logs a failed login.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from django.utils import timezone

from backend.audit import services as audit
from backend.audit.models import AuditRecord
from backend.clusters.models import Credential
from backend.clusters.secret_stores.registry import secret_of
from backend.common.errors import ProblemError
from backend.common.transaction_retry import retry_on_rollback

DECLARED: Final = "api:declaration:compare"
REPEATED: Final = "api:cluster:compare_passwords"
"""Of a change by which stored passwords could reach another server."""
PLANNED: Final = "api:plan:compare_passwords"
"""Of the stored passwords of both sides, of which somebody may have entered one as a guess at the other."""
COMPARED: Final = (DECLARED, REPEATED, PLANNED)
MAX_COMPARISONS: Final = 30
PERIOD: Final = timedelta(hours=1)


def record_comparison(action: str, actor: str, accounts: Sequence[Credential], reason: str = "") -> None:
    """Record that the passwords of these accounts are compared, before anyone is told the result.

    Counted by what stays when a cluster is renamed: its id and the role, or the place in a store.

    Raises 429 `too_many_comparisons`. The records are counted again after the own one is stored, and only those before
    it: calls at the same time cannot pass the limit together. No record says which passwords were equal.
    """
    if not accounts:
        return
    facts = {
        "accounts": [f"{one.cluster.name}/{one.role}" for one in accounts],
        "counted": sorted({_counted(one) for one in accounts}),
    }
    _check(facts["counted"], None)
    _check(facts["counted"], _record(action, actor, facts, reason))


def _counted(account: Credential) -> str:
    return secret_of(account.reference) if account.reference else f"{account.cluster_id}/{account.role}"


@retry_on_rollback
def _record(action: str, actor: str, facts: dict[str, list[str]], reason: str) -> int:
    return audit.record(actor=actor, action=action, reason=reason, facts=facts).seq


def _check(secrets: Collection[str], before: int | None) -> None:
    recent = AuditRecord.objects.filter(action__in=COMPARED, at__gt=timezone.now() - PERIOD)
    if before is not None:
        recent = recent.filter(seq__lt=before)
    counts = Counter(one for facts in recent.values_list("facts", flat=True) for one in facts.get("counted", ()))
    if any(counts[one] >= MAX_COMPARISONS for one in secrets):
        raise ProblemError(
            429,
            "too_many_comparisons",
            f"The stored password of an account was compared with others {MAX_COMPARISONS} times within an hour, "
            "which is the limit. Nothing was compared, changed or planned. Wait an hour, or make the change or the "
            "plan by a command on a console host.",
            headers={"Retry-After": str(int(PERIOD.total_seconds()))},
        )
