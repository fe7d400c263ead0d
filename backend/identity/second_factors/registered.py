"""What sign-in asks of the stored second factors."""

from __future__ import annotations

from django.db import transaction

from backend.common.errors import ProblemError
from backend.identity.accounts.models import User
from backend.identity.second_factors import recovery_codes
from backend.identity.second_factors.models import Totp
from backend.identity.second_factors.verification import PASSKEY, RECOVERY_CODE, TOTP, check_code


class StoredFactors:
    """The second factors in the console's database."""

    def ways_of(self, user: User) -> list[str]:
        """Passkey, app, recovery code: those that the user has."""
        ways = [PASSKEY] if user.passkeys.exists() else []
        ways += [TOTP] if Totp.objects.filter(user=user).exists() else []
        return [*ways, RECOVERY_CODE] if ways and recovery_codes.left(user) else ways

    def is_code_right(self, user: User, code: str) -> bool:
        """Whether this is an unused code of the app or a recovery code; it is used up by this.

        It is counted and recorded as a code that is given in the browser; raises 429 beyond the limit.
        """
        try:
            check_code(user, code)
        except ProblemError as problem:
            if problem.code != "wrong_second_factor":
                raise
            return False
        return True

    def counts_of(self, user: User) -> dict[str, int]:
        """Of what the user has, without secrets."""
        return {
            "apps": Totp.objects.filter(user=user).count(),
            "passkeys": user.passkeys.count(),
            "recovery_codes": recovery_codes.left(user),
        }

    @transaction.atomic
    def remove_all(self, user: User) -> dict[str, int]:
        """Remove app, passkeys and recovery codes."""
        user.recovery_codes.all().delete()
        return {
            "apps_removed": Totp.objects.filter(user=user).delete()[0],
            "passkeys_removed": user.passkeys.all().delete()[0],
        }
