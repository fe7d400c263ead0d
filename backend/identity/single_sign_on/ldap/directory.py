"""Questions to the directory: who has this name, is this the password, which groups. Over TLS, with time limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import ldap
from django.conf import settings
from ldap.filter import escape_filter_chars

from backend.common.outgoing.waiting_room import WaitingRoom
from backend.identity.accounts.identities.models import ProviderKind
from backend.identity.single_sign_on.account import Account

_MOST_GROUPS: Final = 1000
"""With nested groups; a directory with more of them for one user is not read to the end."""

_room = WaitingRoom()


class DirectoryError(Exception):
    """The directory did not answer as it should; nothing is known of the user."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry that a search found."""

    dn: str
    attributes: Mapping[str, list[bytes]]

    def text(self, name: str) -> str:
        """The first value of an attribute; bytes that are no text as hexadecimal digits."""
        value = next((values[0] for key, values in self.attributes.items() if key.lower() == name.lower()), b"")
        try:
            text = value.decode("utf-8")
        except UnicodeDecodeError:
            return value.hex()
        return text if text.isprintable() else value.hex()


def is_configured() -> bool:
    """Whether the settings name a directory."""
    return bool(settings.HAWSER_LDAP_URL)


def issuer() -> str:
    """What a user's subject belongs to: the directory, by whatever host it is asked."""
    return f"ldap:{settings.HAWSER_LDAP_USER_BASE.lower()}"


def sign_in(username: str, password: str, *, before_bind: Callable[[str], None]) -> Account | None:
    """The account with this name and password, search then bind; None if there is none. Raises DirectoryError.

    `before_bind` is called with the account's own name, which may be another one than was entered; what it raises ends
    the sign-in before the password is sent.

    An empty password would be an unauthenticated bind, which succeeds for all users (RFC 4513, section 5.1.2).
    """
    if not password:
        return None
    with _room.place(DirectoryError, DirectoryError), _connection() as connection:
        entry = _one(connection, settings.HAWSER_LDAP_USER_FILTER.format(user=escape_filter_chars(username)))
        if entry is None:
            return None
        before_bind(entry.text(settings.HAWSER_LDAP_USERNAME_ATTRIBUTE))
        return _account(connection, entry) if _is_password(entry.dn, password) else None


def account_of_subject(subject: str) -> Account | None:
    """The account as it is now; None if the directory has none, or only one that the user filter excludes."""
    attribute, any_user = settings.HAWSER_LDAP_SUBJECT_ATTRIBUTE, settings.HAWSER_LDAP_USER_FILTER.format(user="*")
    with _connection() as connection:
        entry = _one(connection, f"(&({attribute}={_escaped_subject(subject)}){any_user})")
        return None if entry is None else _account(connection, entry)


@contextmanager
def _connection() -> Iterator[Any]:
    """A connection that is bound as the console's own account; every fault of LDAP becomes a DirectoryError."""
    try:
        connection = _connected()
        try:
            connection.simple_bind_s(settings.HAWSER_LDAP_BIND_DN, settings.HAWSER_LDAP_BIND_PASSWORD)
            yield connection
        finally:
            connection.unbind_ext_s()
    except ldap.LDAPError as error:
        raise DirectoryError(_reason(error)) from error


def _connected() -> Any:
    """A connection with TLS and a verified certificate; `ldap://` means StartTLS, there is no way without."""
    limit = settings.HAWSER_LDAP_TIMEOUT_S
    connection = ldap.initialize(settings.HAWSER_LDAP_URL, bytes_mode=False)
    connection.set_option(ldap.OPT_PROTOCOL_VERSION, 3)
    connection.set_option(ldap.OPT_REFERRALS, 0)
    connection.set_option(ldap.OPT_NETWORK_TIMEOUT, limit)
    connection.set_option(ldap.OPT_TIMEOUT, limit)
    connection.set_option(ldap.OPT_X_TLS_REQUIRE_CERT, ldap.OPT_X_TLS_DEMAND)
    if settings.HAWSER_LDAP_CA_FILE:
        connection.set_option(ldap.OPT_X_TLS_CACERTFILE, settings.HAWSER_LDAP_CA_FILE)
    connection.set_option(ldap.OPT_X_TLS_NEWCTX, 0)
    if settings.HAWSER_LDAP_URL.startswith("ldap:"):
        connection.start_tls_s()
    return connection


def _is_password(dn: str, password: str) -> bool:
    connection = _connected()
    try:
        connection.simple_bind_s(dn, password)
    except (ldap.INVALID_CREDENTIALS, ldap.UNWILLING_TO_PERFORM, ldap.CONSTRAINT_VIOLATION):
        return False
    finally:
        connection.unbind_ext_s()
    return True


def _one(connection: Any, query: str) -> Entry | None:
    """The entry, if exactly one fits: of two it is unknown which is meant."""
    attributes = [settings.HAWSER_LDAP_SUBJECT_ATTRIBUTE, settings.HAWSER_LDAP_USERNAME_ATTRIBUTE, "mail"]
    found = _search(connection, settings.HAWSER_LDAP_USER_BASE, query, attributes)
    return found[0] if len(found) == 1 else None


def _account(connection: Any, entry: Entry) -> Account:
    subject = entry.text(settings.HAWSER_LDAP_SUBJECT_ATTRIBUTE)
    if not subject:
        raise DirectoryError(f"it gives no {settings.HAWSER_LDAP_SUBJECT_ATTRIBUTE} of {entry.dn}")
    return Account(
        kind=ProviderKind.LDAP,
        issuer=issuer(),
        subject=subject,
        username=entry.text(settings.HAWSER_LDAP_USERNAME_ATTRIBUTE),
        email=entry.text("mail")[:254],
        groups=tuple(sorted(_groups(connection, entry.dn))),
    )


def _groups(connection: Any, dn: str) -> set[str]:
    """The names of the groups of an entry, with those that hold these groups if that is set."""
    names: set[str] = set()
    known: set[str] = set()
    asked = [dn]
    while asked and len(known) < _MOST_GROUPS:
        query = settings.HAWSER_LDAP_GROUP_FILTER.format(dn=escape_filter_chars(asked.pop()))
        attribute = settings.HAWSER_LDAP_GROUP_ATTRIBUTE
        found = _search(connection, settings.HAWSER_LDAP_GROUP_BASE, query, [attribute])
        fresh = [group for group in found if group.dn.lower() not in known]
        names |= {group.text(attribute) for group in fresh}
        known |= {group.dn.lower() for group in fresh}
        asked += [group.dn for group in fresh] if settings.HAWSER_LDAP_NESTED_GROUPS else []
    return names


def _search(connection: Any, base: str, query: str, attributes: list[str]) -> list[Entry]:
    """Referrals to other directories have no name and are left out."""
    limit = settings.HAWSER_LDAP_TIMEOUT_S
    rows = connection.search_ext_s(base, ldap.SCOPE_SUBTREE, query, attributes, timeout=limit)
    return [Entry(dn, found) for dn, found in rows if dn is not None]


def _escaped_subject(subject: str) -> str:
    """Of bytes that were stored as digits each byte, else the text with its special characters escaped."""
    if settings.HAWSER_LDAP_SUBJECT_ATTRIBUTE.lower() == "objectguid":
        return "".join(f"\\{byte:02x}" for byte in bytes.fromhex(subject))
    return str(escape_filter_chars(subject))


def _reason(error: ldap.LDAPError) -> str:
    """The server's words, without the name and password that were sent."""
    details = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
    return str(details.get("info") or details.get("desc") or type(error).__name__)[:200]
