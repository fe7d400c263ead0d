"""What a user is told in person: changes of the account since the sign-in before, and tokens that end soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.identity.accounts.models import ApiToken, SignIn, User

AT_MOST: Final = timedelta(days=30)
ENDS_SOON: Final = timedelta(days=14)
CHANGES: Final[Mapping[str, str]] = {
    "api:second_factor:added": "A second factor was added",
    "api:second_factor:removed": "A second factor was removed",
    "api:second_factor:recovery_codes": "New recovery codes were made",
    "api:user:remove_factors": "All second factors were removed",
    "cli:user:remove_factors": "All second factors were removed",
    "api:user:password_change": "The password was changed",
    "api:user:update": "The account or its password was changed",
    "cli:user:update": "The account or its password was changed",
}
"""Records about an account of which its user is told, also of the own changes."""


def notifications_of(user: User) -> list[dict[str, Any]]:
    """The notifications, newest first."""
    return [*_changes(user), *_ends(user)]


def _changes(user: User) -> Iterator[dict[str, Any]]:
    since = max(_sign_in_before(user), timezone.now() - AT_MOST)
    records = AuditRecord.objects.filter(action__in=CHANGES, target=user.username, at__gt=since)
    for record in records.order_by("-seq")[:10]:
        by = "you" if record.actor == user.username else record.actor
        yield {"at": record.at, "message": f"{CHANGES[record.action]} by {by}."}


def _sign_in_before(user: User) -> datetime:
    """When the session before the newest one began; with none, when the account was made."""
    before = SignIn.objects.filter(user=user).order_by("-created_at")[1:2]
    return next((one.created_at for one in before), user.created_at)


def _ends(user: User) -> Iterator[dict[str, Any]]:
    for token in ending_tokens().filter(user=user).order_by("expires_at")[:10]:
        yield {"at": token.expires_at, "message": sentence_of(token)}


def ending_tokens() -> Any:
    """Tokens that end soon and were not replaced."""
    now = timezone.now()
    rows = ApiToken.objects.filter(revoked_at=None, expires_at__gt=now, expires_at__lt=now + ENDS_SOON)
    return rows.filter(successors=None)


def sentence_of(token: ApiToken) -> str:
    """What its user does about a token that ends."""
    return (
        f"The token “{token.label}” of {token.user.username} ends on {token.expires_at:%Y-%m-%d %H:%M} UTC. Rotate it "
        "under Account, Tokens, before what uses it is refused."
    )
