"""Django's authentication by the directory: for names that are no local user's."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS
from backend.common.errors import ProblemError
from backend.identity.accounts import throttle
from backend.identity.accounts.identities.models import ProviderKind
from backend.identity.accounts.identities.selectors import method_of
from backend.identity.accounts.known_browser import browser_id
from backend.identity.accounts.models import User
from backend.identity.single_sign_on.admission import admit
from backend.identity.single_sign_on.ldap import directory


class DirectoryBackend:
    """Stands behind Django's own backend, which has already refused a wrong local password.

    The directory is never sent what was typed for a local user.
    """

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None
    ) -> User | None:
        """The user of this account of the directory, or None."""
        if not directory.is_configured() or not username or not password or _is_of_another_kind(username):
            return None
        budget = _Budget(is_exempt=request is not None and browser_id(request, username) is not None)
        budget.spend(username)  # for a name that the directory does not know, too: the answer must not tell which
        try:
            account = directory.sign_in(username, password, before_bind=budget.spend)
        except directory.DirectoryError as error:
            budget.give_back()
            raise unavailable(error) from error
        if account is None:
            return None
        budget.renew()
        return admit(account)

    def get_user(self, user_id: int) -> User | None:
        """The user of a session."""
        return User.objects.filter(pk=user_id, is_active=True).first()


class _Budget:
    """The failed sign-ins with a name that the directory may count."""

    def __init__(self, *, is_exempt: bool) -> None:
        self._is_exempt = is_exempt
        self._spent: dict[str, throttle.Attempt] = {}

    def spend(self, name: str) -> None:
        """Count one; raises 429 where the directory is not to be asked any more. Spellings of a name count once."""
        if self._is_exempt or name.casefold() in self._spent:
            return
        try:
            self._spent[name.casefold()] = throttle.count_forwarded(name)
        except ProblemError:
            refusals.add(actor=ANONYMOUS, action="session:user:throttled", target=name)
            raise

    def renew(self) -> None:
        """The password was right: the directory, too, begins to count anew."""
        for attempt in self._spent.values():
            attempt.succeed()

    def give_back(self) -> None:
        """The directory did not answer."""
        for attempt in self._spent.values():
            attempt.withdraw()


def unavailable(error: directory.DirectoryError) -> ProblemError:
    """The directory does not answer as it should."""
    return ProblemError(
        503,
        "provider_unavailable",
        f"{settings.HAWSER_LDAP_NAME} cannot be used now: {error}. You are not signed in. Local users can sign in with "
        "their password.",
        headers={"Retry-After": "10"},
    )


def _is_of_another_kind(username: str) -> bool:
    try:
        user = User.objects.get_by_natural_key(username)
    except User.DoesNotExist:
        return False
    return method_of(user) != ProviderKind.LDAP
