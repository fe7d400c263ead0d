"""Teams: users who get the roles that are assigned to the team."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, invalid
from backend.identity.access.promotions import held_back
from backend.identity.accounts.models import Team, User
from backend.identity.accounts.service_accounts import remember_owners


def teams() -> QuerySet[Team]:
    """All teams by name, their members fetched."""
    return Team.objects.prefetch_related("members").order_by("name")


@transaction.atomic
def team_create(*, actor: str, name: str, members: Sequence[str] = ()) -> Team:
    """Create a team of these users."""
    found = _named(members)
    try:
        with transaction.atomic():
            team = Team.objects.create(name=name)
    except IntegrityError:
        raise _name_taken(name) from None
    team.members.set(found)
    _record(actor, team, "create")
    return team


@transaction.atomic
def team_update(*, actor: str, team: Team, name: str | None = None, members: Sequence[str] | None = None) -> Team:
    """Change the name or the members. A new member who may run or approve more by it is held back like a promotion.

    Who leaves stays behind the service accounts that the team owns now, and approves nothing that they ask for.
    """
    if name is not None and name != team.name:
        if Team.objects.filter(name=name).exists():
            raise _name_taken(name)
        team.name = name
        team.save(update_fields=["name"])
    if members is not None:
        found = _named(members)
        before = team.members.all()
        added = [user for user in found if user not in before]
        remember_owners(team, [user for user in before if user not in found])
        with held_back(added, actor, f"joined the team {team.name}"):
            team.members.set(found)
    _record(actor, team, "update")
    return team


@transaction.atomic
def team_delete(*, actor: str, team: Team) -> None:
    """Delete a team with the roles that were assigned to it."""
    owned = User.objects.filter(owner_team=team, is_service=True).first()
    if owned is not None:
        raise conflict(
            "team_in_use", f"The team owns the service account {owned.username}. Nothing was changed. Keep the team."
        )
    _record(actor, team, "delete")
    team.delete()


def _named(usernames: Sequence[str]) -> list[User]:
    found = {user.username: user for user in User.objects.filter(username__in=list(usernames), is_service=False)}
    for name in usernames:
        if name not in found:
            raise invalid("members", f"No person has the user name {name}. Nothing was changed. Name existing users.")
    return list(found.values())


def _name_taken(name: str) -> ProblemError:
    return conflict("team_exists", f"A team named {name} already exists. Nothing was changed. Choose another name.")


def _record(actor: str, team: Team, what: str) -> None:
    names = sorted(team.members.values_list("username", flat=True))
    facts = {"name": team.name, "members": names}
    audit.record(actor=actor, action=f"api:team:{what}", target=team.id, facts=facts)
