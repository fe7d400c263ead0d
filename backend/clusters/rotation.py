"""The old and the new password of an account during a rotation. Both are sealed; every call may be repeated."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from backend.clusters.models import Credential
from backend.common.sealing import seal, unseal
from backend.core.dialects.quoting import secret_literal

_BYTES = 24


def rotation_prepare(*, run_id: str, role: str, cluster_ids: Sequence[str]) -> None:
    """Store one new password for all these clusters, once a run; what an earlier run left there is replaced."""
    made = secrets.token_urlsafe(_BYTES)
    secret_literal(made)
    with transaction.atomic():
        rows = list(_rows(role, cluster_ids).select_for_update())
        if all(row.rotation_run == run_id for row in rows):
            return
        for row in rows:
            row.other_sealed = seal(made, cluster_id=row.cluster_id, role=role)
            row.rotation_run, row.is_rotated = run_id, False
            row.save(update_fields=["other_sealed", "rotation_run", "is_rotated"])


def rotation_use(*, run_id: str, role: str, cluster_ids: Sequence[str], is_new: bool) -> bool:
    """Exchange the two, so that the console connects with the one that is wanted; False where it does already."""
    is_changed = False
    with transaction.atomic():
        for row in _rows(role, cluster_ids).filter(rotation_run=run_id).select_for_update():
            if row.is_rotated is is_new or row.other_sealed is None:
                continue
            row.sealed, row.other_sealed, row.is_rotated = row.other_sealed, row.sealed, is_new
            row.save(update_fields=["sealed", "other_sealed", "is_rotated"])
            is_changed = True
    return is_changed


def rotation_end(*, run_id: str, role: str, cluster_ids: Sequence[str]) -> None:
    """Forget the password that is not used any more."""
    rows = _rows(role, cluster_ids).filter(rotation_run=run_id, is_rotated=True)
    rows.update(other_sealed=None, rotation_run=None, is_rotated=None)


def rotation_passwords(*, role: str, cluster_id: str) -> tuple[str, str, str]:
    """User, old and new password; once a rotation has ended, the stored one is the new one and there is no old one."""
    row = _rows(role, [cluster_id]).get()
    used = unseal(row.sealed, cluster_id=cluster_id, role=role)
    if row.other_sealed is None:
        return row.user, "", used
    other = unseal(row.other_sealed, cluster_id=cluster_id, role=role)
    return (row.user, other, used) if row.is_rotated else (row.user, used, other)


def _rows(role: str, cluster_ids: Sequence[str]) -> QuerySet[Credential]:
    return Credential.objects.filter(cluster__in=list(cluster_ids), role=role).order_by("pk")
