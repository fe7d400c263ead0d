"""Reads users, sessions and tokens."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils import timezone

from backend.common.errors import not_found
from backend.common.rest.pagination import rows_by_name
from backend.common.roles import DESCRIPTIONS, Permission, Role, may
from backend.identity.accounts import first_steps, own_notifications
from backend.identity.accounts.identities.selectors import shown_identity
from backend.identity.accounts.models import ApiToken, SignIn, Team, User
from backend.identity.accounts.preferences import preferences_of
from backend.identity.accounts.sign_ins import live


def me(user: User, *, must_add_factor: bool, of_session: bool = True) -> dict[str, Any]:
    """What the page needs to know of its user and of the server."""
    role, privileges = user.acting_role, user.privileges()
    return {
        "username": user.username,
        "role": role.value,
        "permissions": sorted(privileges.anywhere()),
        "everywhere": sorted(privileges.everywhere),
        "preferences": preferences_of(user),
        "must_add_second_factor": must_add_factor,
        "must_change_password": of_session and first_steps.must_change_password(user),
        "must_accept_notice": of_session and first_steps.must_accept_notice(user),
        "notifications": own_notifications.notifications_of(user) if of_session else [],
        "demo": settings.HAWSER_DEMO,
        "server_time": timezone.now(),
        "version": settings.HAWSER_VERSION,
        "provider": shown_identity(user),
    }


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Active tokens of a user."""
    return ApiToken.objects.filter(expires_at__gt=timezone.now(), user=user, revoked_at=None).order_by("-created_at")


def token_of(user: User, token_id: str, *, is_compromised: bool = False) -> ApiToken:
    """An active token of that user; of compromised ones also one that has ended, since what it requested may wait."""
    tokens = ApiToken.objects.filter(user=user) if is_compromised else tokens_of(user)
    token = tokens.filter(pk=token_id).first()
    if token is None:
        raise not_found("token")
    return token


def sessions_of(user: User, auth: Any) -> list[dict[str, Any]]:
    """Active sign-ins of a user; that of the caller is marked."""
    names = ("id", "source_ip", "user_agent", "created_at", "last_active_at")
    current_id = auth.pk if isinstance(auth, SignIn) else None
    return [{name: getattr(row, name) for name in names} | {"is_current": row.pk == current_id} for row in live(user)]


def user_named(username: str) -> User:
    """A user by name."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise not_found("user")
    return user


def owner_named(username: str | None, team_id: str | None) -> User | Team | None:
    """The owner of a service account; None where neither is given."""
    if team_id is not None:
        return team_get(team_id)
    return None if username is None else user_named(username)


def team_get(team_id: str) -> Team:
    """A team; 404 if it does not exist."""
    team = Team.objects.filter(pk=team_id).first()
    if team is None:
        raise not_found("team")
    return team


def users() -> QuerySet[User]:
    """All users by name."""
    return User.objects.select_related("owner", "owner_team", "identity__person").order_by("username")


def user_page(*, is_service: bool | None, search: str, cursor: str | None, limit: int | None) -> dict[str, Any]:
    """Users by name, of one kind or of both, whose name has `search` in it."""
    rows = users() if is_service is None else users().filter(is_service=is_service)
    return _page_by_name(rows, search, cursor, limit)


def member_page(team: Team, *, search: str, cursor: str | None, limit: int | None) -> dict[str, Any]:
    """The members of a team by name, whose name has `search` in it."""
    return _page_by_name(users().filter(pk__in=team.members.all()), search, cursor, limit)


def _page_by_name(rows: QuerySet[User], search: str, cursor: str | None, limit: int | None) -> dict[str, Any]:
    """`icontains` would tell upper from lower case: the collation of the console's database is binary."""
    found = rows.alias(name=Lower("username")).filter(name__contains=search.lower()) if search else rows
    shown, following = rows_by_name(found, field="username", cursor=cursor, limit=limit)
    return {"results": shown, "next": following}


def roles() -> dict[str, Any]:
    """The table of privileges that every call is checked against."""
    return {
        "roles": [{"role": role.value, "permissions": [p.value for p in Permission if may(role, p)]} for role in Role],
        "permissions": [{"permission": p.value, "description": DESCRIPTIONS[p]} for p in Permission],
    }
