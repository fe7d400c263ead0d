"""Whether an account counts as a second person: old enough, older than the request, and in other hands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils import timezone

from backend.common.errors import ProblemError, forbidden
from backend.identity.accounts import second_factor
from backend.identity.accounts.models import ChangeState, ProtectedChange, User
from backend.identity.accounts.persons import acting_name, are_one_person, is_unknown, os_user_of, user_of
from backend.identity.accounts.service_accounts import people_behind

SECOND_PERSON_CODES = (
    "service_account",
    "own_account",
    "not_yet_second_person",
    "younger_than_request",
    "shell_user_unmapped",
)
"""Problem codes of this module."""


def why_not_second_person(user: User, *, since: datetime) -> ProblemError | None:
    """Why the account (or the token in use) does not count as a second person for a request made at `since`."""
    if user.is_service:
        return forbidden(
            "service_account",
            "A service account never counts as a second person. Nothing was decided. A person must decide.",
        )
    begins = max(user.second_person_from, user.token_in_use.second_person_from if user.token_in_use else since)
    if begins > timezone.now():
        return forbidden(
            "not_yet_second_person",
            f"This account counts as a second person from {begins:%Y-%m-%d %H:%M} UTC. Wait until "
            "then, or have a second administrator confirm the change of the account.",
            counts_from=begins,
        )
    if user.second_person_from > since:
        return forbidden(
            "younger_than_request",
            "This account became a second person after the request was made. Another user must "
            "decide, or the request must be made again.",
        )
    return None


def why_asked_for(user: User, askers: Iterable[str], *, own: ProblemError) -> ProblemError | None:
    """Why the user is, may be or controls one of these requesters; `own` where the user is one."""
    named = [asker for asker in askers if asker]  # nobody resumed the run
    if any(are_one_person(user.username, asker) for asker in named):
        return own
    for asker in named:
        if is_unknown(asker):
            return unknown_shell_user(asker)
        if (problem := why_own_account(user, asker)) is not None:
            return problem
    return None


def why_behind(user: User, names: Iterable[str]) -> ProblemError | None:
    """Why the request is the user's own, if `names` were behind it when it was made."""
    if not any(are_one_person(user.username, name) for name in names):
        return None
    return forbidden(
        "own_account",
        "When this was requested, you were behind it: you owned the service account that did it, you had created the "
        "account or set its password, it came from an account of the host that was mapped to you, it was started by "
        "what you had set, or it replaced what you had requested. Another user must decide. Or reject it and have "
        "another administrator request it anew.",
    )


def why_own_account(user: User, asker: str) -> ProblemError | None:
    """Why the requester may be this user under another account, which this user created or set the password of.

    That lasts until the change of the account has taken effect, by a second administrator or after its waiting time.
    """
    asking = user_of(asker)
    owners = [] if asking is None else people_behind(asking)
    if any(are_one_person(user.username, owner.username) for owner in owners):
        return forbidden(
            "own_account",
            f"{asker} is, or was, a service account of yours. A user who never owned it must decide.",
        )
    for actor in who_may_act_as(asker):
        if are_one_person(actor, user.username):
            return forbidden(
                "own_account",
                f"You, or an account of yours, created or changed the account of {asker}, and that change is not "
                "confirmed yet. Another user must decide. Or have a second administrator confirm the change, then "
                "make the request again.",
            )
        if is_unknown(actor):
            return unknown_shell_user(actor)
    return None


def why_own_password(user: User, target: str) -> ProblemError | None:
    """Why this user may be the one whose account is `target`: by the password, which this user set, or may have set."""
    account = user_of(target)
    known = [] if account is None else _who_may_sign_in_as(account)
    if any(are_one_person(name, user.username) for name in known):
        return forbidden(
            "own_account",
            f"You set the password of {target}, or were behind who did. Another administrator must confirm the change. "
            "Or reject it, and have another administrator remove the second factors of the account and enable it "
            "again with a new password.",
        )
    unknown = next(filter(is_unknown, known), None)
    if unknown is not None:
        return unknown_setter(unknown, target)
    problems = (why_own_account(user, name) for name in known)
    return next((problem for problem in problems if problem is not None), None)


def unknown_shell_user(actor: str) -> ProblemError:
    """It is unknown whether the user at the shell and the one who decides are two persons."""
    name = os_user_of(actor)
    return forbidden(
        "shell_user_unmapped",
        f"{name} made this request, or a change of the account that made it, at the shell, and no user is mapped to "
        "that account of the host. Nothing was decided. Have one administrator map it (Users, accounts of the host) "
        "and another confirm that. Or reject the change of the account that made the request, and have another "
        "administrator enable the account again with a new password. Or wait until the change has taken effect. Then "
        "make the request again.",
    )


def unknown_setter(setter: str, target: str) -> ProblemError:
    """Any user may be the one at the shell who knows the password of this account."""
    return forbidden(
        "shell_user_unmapped",
        f"{os_user_of(setter)} set the password of {target} at the shell, and no user is mapped to that account of the "
        f"host: it may be yours. Nothing was decided. Have one administrator remove the second factors of {target}, if "
        "it has any, and set a new password, and another confirm that, or wait until the change takes effect.",
    )


def who_may_act_as(name: str) -> list[str]:
    """All who own the account, created it or set its password without confirmation, and likewise for their accounts.

    A change that was rejected is none that was confirmed: whoever requested it knows what was set.
    """
    found: list[str] = []
    names = [name]
    while names:
        account = user_of(names.pop())
        if account is not None:
            actors = {*_makers(account), *(one.username for one in people_behind(account))} - {name, *found}
            names += actors
            found += actors
    return found


def names_behind(askers: Iterable[str]) -> list[str]:
    """Who is behind these askers now. A request keeps them: an owner may leave, a password may be set anew, and an
    account of the host may be mapped to another user."""
    given = set(askers)
    return sorted({name for asker in given for name in (acting_name(asker), *who_may_act_as(asker))} - given)


def behind_password(user: User, setter: str) -> list[str]:
    """Names of who may sign in as the user once `setter` has set the password: that one, and who is behind that one.

    A new password ends sessions and tokens, but no second factor: where there is one, who may have added it stays.
    """
    kept = user.people_behind if user.pk and second_factor.factors().ways_of(user) else None
    return sorted({setter, *names_behind([setter]), *(kept or ())} - {user.username})


def _who_may_sign_in_as(account: User) -> list[str]:
    """Who set the password, and `people_behind`; of the time of the installation nobody is kept."""
    return sorted({account.password_set_by, *(account.people_behind or ())} - {""})


def _makers(account: User) -> Iterable[str]:
    targets = [account.username, *account.tokens.values_list("pk", flat=True)]
    states = (
        [ChangeState.WAITING.value] if account.is_active else [ChangeState.WAITING.value, ChangeState.REJECTED.value]
    )
    changes = ProtectedChange.objects.filter(state__in=states, target__in=targets)
    makers = {name for change in changes for name in change.askers}
    if makers:  # who asked for the change may not know in whose hands the account is
        makers.update(_who_may_sign_in_as(account))
    return makers
