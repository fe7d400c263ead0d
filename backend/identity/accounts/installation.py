"""Whether the console is still being installed: there is no second administrator then, and nothing to protect.

That is a row of its own, written once and never removed. Present users say nothing of it: an administrator who was
there may have been demoted since.
"""

from __future__ import annotations

from backend.common.roles import Role
from backend.identity.accounts.models import Installation, User


def is_installation() -> bool:
    """Whether no administrator has signed in or used a token yet, now or before a restore."""
    return not Installation.objects.exists()


def used_by(user: User) -> None:
    """The user signed in or used a token: the first administrator who does ends the installation."""
    if user.role == Role.ADMIN:
        end_installation()


def end_installation() -> None:
    """End the installation if it has not ended yet."""
    Installation.objects.get_or_create(pk=Installation.ONLY)
