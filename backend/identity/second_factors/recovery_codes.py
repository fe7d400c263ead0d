"""Recovery codes: shown once, each accepted once."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from django.db import transaction
from django.utils import timezone

from backend.identity.accounts.models import User
from backend.identity.second_factors.models import RecoveryCode

COUNT: Final = 10
_BLOCKS: Final = 6
"""Of four letters with five bits each: 120 bits, which no stored digest gives away."""
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"


@transaction.atomic
def renew(user: User) -> list[str]:
    """New codes for the user; the earlier ones end."""
    codes = ["-".join(_block() for _ in range(_BLOCKS)) for _ in range(COUNT)]
    user.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(user, code)) for code in codes)
    return codes


def use(user: User, code: str) -> bool:
    """Whether this is an unused code of the user; it is used now."""
    found = user.recovery_codes.filter(digest=_digest(user, code), used_at=None)
    return found.update(used_at=timezone.now()) == 1


def is_used(user: User, code: str) -> bool:
    """Whether this is a code of the user that was used before."""
    return user.recovery_codes.filter(digest=_digest(user, code)).exclude(used_at=None).exists()


def left(user: User) -> int:
    """Number of unused codes."""
    return user.recovery_codes.filter(used_at=None).count()


def _block() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(4))


def _digest(user: User, code: str) -> str:
    plain = "".join(code.lower().replace("-", "").split())
    return hashlib.sha256(f"{user.pk} {plain}".encode("utf-8", "surrogatepass")).hexdigest()
