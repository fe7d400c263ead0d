"""Users who come from a provider or directory: bound to an identity, with the role of their groups."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.audit import services as audit
from backend.common.actors import PROVIDER
from backend.common.errors import conflict
from backend.common.roles import PERMISSIONS, Permission, Role, may
from backend.identity.accounts.access import end_access
from backend.identity.accounts.identities.models import Identity, ProviderKind, identity_key
from backend.identity.accounts.models import User
from backend.identity.accounts.names import skeleton
from backend.identity.accounts.services import check_name, hold_back


@dataclass(frozen=True, slots=True)
class ProviderPerson:
    """A person as a provider or directory describes the person; `role` is that of the groups."""

    kind: ProviderKind
    issuer: str
    subject: str
    username: str
    email: str
    groups: tuple[str, ...]
    role: Role


def looks(person: ProviderPerson) -> list[str]:
    """The looks of all names of the person: user name, e-mail address, and the part before its @."""
    names = {person.username, person.username.partition("@")[0], person.email, person.email.partition("@")[0]}
    return sorted(skeleton(name) for name in names if name)


@transaction.atomic
def provider_user(person: ProviderPerson) -> User:
    """The user of this person, created at the first sign-in and updated at each; never a user of the same name."""
    identity = Identity.objects.select_related("user").filter(key=identity_key(person.issuer, person.subject)).first()
    return _created(person) if identity is None else _updated(identity, person)


def _created(person: ProviderPerson) -> User:
    taken = User.objects.filter(name_skeleton=skeleton(person.username)).first()
    if taken is not None:
        raise conflict(
            "provider_name_taken",
            f"Another user is named {taken.username}, so {person.username} of the provider cannot sign in. Nothing was "
            "changed. Ask an administrator to have one of the two renamed.",
        )
    check_name(person.username)
    user = User(username=person.username, role=person.role.value)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
            _bind(user, person)
    except IntegrityError as error:
        raise conflict("provider_name_taken", "This user was created at the same time. Sign in again.") from error
    if not settings.HAWSER_PROVIDER_ROLES_TRUSTED and may(user.role, Permission.RUN):
        hold_back(user, PROVIDER, "added", "was added", is_approver=may(user.role, Permission.APPROVE))
    audit.record(actor=PROVIDER, action="provider:user:create", target=user.username, facts=_facts(user, person))
    return user


def _bind(user: User, person: ProviderPerson) -> None:
    Identity.objects.create(
        user=user,
        kind=person.kind.value,
        key=identity_key(person.issuer, person.subject),
        issuer=person.issuer,
        subject=person.subject,
        email=person.email,
        groups=list(person.groups),
        aliases=looks(person),
    )


def _updated(identity: Identity, person: ProviderPerson) -> User:
    """Names are only ever added to the aliases: no user becomes another person by a change at the provider."""
    user, groups = identity.user, identity.groups
    identity.email, identity.groups = person.email, list(person.groups)
    identity.aliases = sorted({*identity.aliases, *looks(person)})
    identity.confirmed_at = timezone.now()
    identity.save()
    changed = _with_role(user, person) if user.role != person.role.value else {}
    if changed or groups != identity.groups:
        facts = _facts(user, person) | changed
        audit.record(actor=PROVIDER, action="provider:user:update", target=user.username, facts=facts)
    return user


def _with_role(user: User, person: ProviderPerson) -> dict[str, object]:
    """Give the user the role of the groups: all access ends, and a higher role waits like any other promotion."""
    before = Role(user.role)
    user.role = person.role.value
    user.save(update_fields=["role"])
    ended = end_access(user)
    is_promotion = not PERMISSIONS[person.role] <= PERMISSIONS[before] and may(user.role, Permission.RUN)
    if is_promotion and not settings.HAWSER_PROVIDER_ROLES_TRUSTED:
        hold_back(
            user, PROVIDER, "promoted", f"was promoted from {before}", is_approver=may(user.role, Permission.APPROVE)
        )
    return {"role_before": before.value, **ended}


def _facts(user: User, person: ProviderPerson) -> dict[str, object]:
    return {"kind": person.kind.value, "issuer": person.issuer, "role": user.role, "groups": list(person.groups)}


@transaction.atomic
def provider_user_lost(identity: Identity, reason: str) -> None:
    """End all access of a user who is no longer known, or no longer has a role, at the provider."""
    ended = end_access(identity.user)
    audit.record(
        actor=PROVIDER, action="provider:user:access_ended", target=identity.user.username, reason=reason, facts=ended
    )
