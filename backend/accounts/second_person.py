"""Whether an account counts as a second person: long enough, and longer than what it is to decide on."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import ProblemError, forbidden


def why_not_second_person(user: User, *, since: datetime) -> ProblemError | None:
    """Why the account (or the token in use) does not count as a second person for what was asked for at `since`."""
    begins = max(user.second_person_from, user.token_in_use.second_person_from if user.token_in_use else since)
    if begins > timezone.now():
        return forbidden(
            "not_yet_second_person",
            f"This account counts as a second person from {begins:%Y-%m-%d %H:%M} UTC, or as soon as a second "
            "administrator confirms the change of it.",
            counts_from=begins,
        )
    if user.second_person_from > since:
        return forbidden(
            "younger_than_request",
            "This account became a second person after this was asked for; somebody else must decide, "
            "or it is asked for anew.",
        )
    return None
