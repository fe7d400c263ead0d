"""Django's authentication by the directory: for names that are no local user's."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from backend.common.errors import ProblemError
from backend.identity.accounts.identities.models import ProviderKind
from backend.identity.accounts.identities.selectors import method_of
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
        try:
            account = directory.sign_in(username, password)
        except directory.DirectoryError as error:
            raise unavailable(error) from error
        return None if account is None else admit(account)

    def get_user(self, user_id: int) -> User | None:
        """The user of a session."""
        return User.objects.filter(pk=user_id, is_active=True).first()


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
