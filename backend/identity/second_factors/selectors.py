"""Reads the second factors of a user. Secrets are in no answer."""

from __future__ import annotations

from typing import Any

from backend.identity.accounts.models import User
from backend.identity.accounts.session_proof import is_factor_required
from backend.identity.second_factors import recovery_codes
from backend.identity.second_factors.models import Totp


def factors_of(user: User) -> dict[str, Any]:
    """The factors of the user, and whether the role needs one."""
    return {
        "app": Totp.objects.filter(user=user).first(),
        "passkeys": list(user.passkeys.all()),
        "recovery_codes_left": recovery_codes.left(user),
        "is_required": is_factor_required(user),
    }
