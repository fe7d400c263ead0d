"""Dismisses advice for a reason and a time, and withdraws a dismissal; both are recorded."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from backend.adviser.advice.configurations import cluster_configuration, link_configuration
from backend.adviser.advice.models import AdviceDismissal
from backend.audit import services as audit
from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import cluster_get, registered_link_get
from backend.clusters.versions import check_not_retired
from backend.common.errors import conflict, invalid, not_found
from backend.core.adviser.advice.dismissals import LONGEST
from backend.core.adviser.advice.model import Advice
from backend.core.adviser.advice.registry import cluster_advice, link_advice


@transaction.atomic
def advice_dismiss(
    *, actor: str, subject_id: str, code: str, fingerprint: str, reason: str, expires_at: datetime
) -> AdviceDismissal:
    """Dismiss advice that is given now; an earlier dismissal of the same advice ends."""
    now = timezone.now()
    _check_expiry(expires_at, now)
    subject = _subject(subject_id)
    advice = next((one for one in _given(subject, now) if (one.code, one.fingerprint) == (code, fingerprint)), None)
    if advice is None or advice.subject_id != subject.pk:
        raise conflict(
            "advice_changed",
            "This advice is not given any more: its facts changed, or they are unknown. Nothing was dismissed. Read "
            "the list again.",
        )
    of_subject = {"cluster": subject} if isinstance(subject, Cluster) else {"link": subject}
    earlier = AdviceDismissal.objects.filter(**of_subject, code=code, fingerprint=fingerprint, withdrawn_at=None)
    earlier.update(withdrawn_at=now)
    row = AdviceDismissal.objects.create(
        **of_subject,
        code=code,
        fingerprint=fingerprint,
        fact=advice.fact,
        reason=reason,
        by=actor,
        at=now,
        expires_at=expires_at,
    )
    audit.record(
        actor=actor,
        action="api:advice:dismiss",
        link_id=row.link_id or "",
        target=row.id,
        facts={
            "subject": row.subject_id,
            "code": code,
            "fact": advice.fact,
            "reason": reason,
            "expires_at": expires_at.isoformat(),
        },
    )
    return row


@transaction.atomic
def dismissal_withdraw(*, actor: str, dismissal_id: str) -> None:
    """The advice is open again at once; 404 where the dismissal ended before."""
    now = timezone.now()
    row = AdviceDismissal.objects.filter(pk=dismissal_id, withdrawn_at=None, expires_at__gt=now).first()
    if row is None:
        raise not_found("dismissal")
    row.withdrawn_at = now
    row.save(update_fields=["withdrawn_at"])
    audit.record(
        actor=actor,
        action="api:advice:withdraw",
        link_id=row.link_id or "",
        target=row.id,
        facts={"subject": row.subject_id, "code": row.code, "fact": row.fact, "reason": row.reason},
    )


def _check_expiry(expires_at: datetime, now: datetime) -> None:
    if not now < expires_at <= now + LONGEST:
        raise invalid("expires_at", f"Send a time from now to {LONGEST.days} days from now.")


def _subject(subject_id: str) -> Cluster | Link:
    """By the letter of its id."""
    if subject_id.startswith("l_"):
        return registered_link_get(subject_id)
    cluster = cluster_get(subject_id)
    check_not_retired(cluster)
    return cluster


def _given(subject: Cluster | Link, now: datetime) -> list[Advice]:
    if isinstance(subject, Cluster):
        return cluster_advice(cluster_configuration(subject, now))
    return link_advice(link_configuration(subject, now))
