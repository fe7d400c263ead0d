"""Settings of sign-in that only make sense together; what is missing is said before anything starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from backend.core.plural import pluralize

_OIDC_NEEDS: Final = (
    "HAWSER_OIDC_CLIENT_ID",
    "HAWSER_OIDC_CLIENT_SECRET",
    "HAWSER_CONSOLE_URL",
    "HAWSER_GROUP_ROLES",
)
_LDAP_NEEDS: Final = (
    "HAWSER_LDAP_BIND_DN",
    "HAWSER_LDAP_BIND_PASSWORD",
    "HAWSER_LDAP_USER_BASE",
    "HAWSER_LDAP_GROUP_BASE",
    "HAWSER_GROUP_ROLES",
)

_SECRETS: Final = ("HAWSER_OIDC_CLIENT_SECRET", "HAWSER_LDAP_BIND_PASSWORD")
_ASKING: Final = ("", "web", "monitor")
"""Processes that ask a provider or directory; the others read the same settings, and have no secret or CA of it."""


def roles_by_group(items: Sequence[str]) -> dict[str, str]:
    """The declared mapping; ImproperlyConfigured if a group has two roles."""
    found: dict[str, str] = {}
    for item in items:
        group, _, role = (part.strip() for part in item.rpartition("="))
        if found.setdefault(group, role) != role:
            raise ImproperlyConfigured(f"HAWSER_GROUP_ROLES: {group} has two roles. Write each group once.")
    return found


def refuse_incomplete(values: Mapping[str, Any], *, relaxed: bool) -> None:
    """ImproperlyConfigured names everything that is missing or does not fit together."""
    faults = [*_missing(values), *_break_glass(values), *_files(values)]
    for name in ("HAWSER_OIDC_ISSUER", "HAWSER_CONSOLE_URL"):
        if not relaxed and str(values[name]).startswith("http:"):
            faults.append(f"{name} must start with https://, else passwords and codes can be read on the way")
    if faults:
        raise ImproperlyConfigured(
            "\n  ".join([f"{pluralize(len(faults), 'setting')} of sign-in cannot be used:", *(f"{f}." for f in faults)])
        )


def _missing(values: Mapping[str, Any]) -> list[str]:
    found = []
    without = () if values["HAWSER_PROCESS"] in _ASKING else _SECRETS
    for owner, needs in (("HAWSER_OIDC_ISSUER", _OIDC_NEEDS), ("HAWSER_LDAP_URL", _LDAP_NEEDS)):
        lacking = [name for name in needs if not values[name] and name not in without]
        found += [f"{owner} needs {name}, which is not set" for name in lacking if values[owner]]
    return found


def _break_glass(values: Mapping[str, Any]) -> list[str]:
    if values["HAWSER_LOCAL_SIGN_IN"] != "break_glass":
        return []
    found = []
    if not values["HAWSER_BREAK_GLASS_USERS"]:
        found.append("HAWSER_LOCAL_SIGN_IN=break_glass needs HAWSER_BREAK_GLASS_USERS, else no user gets in")
    if not (values["HAWSER_OIDC_ISSUER"] or values["HAWSER_LDAP_URL"]):
        found.append("HAWSER_LOCAL_SIGN_IN=break_glass needs HAWSER_OIDC_ISSUER or HAWSER_LDAP_URL")
    return found


def _files(values: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    if values["HAWSER_PROCESS"] not in _ASKING:
        return found
    for name in ("HAWSER_OIDC_CA_FILE", "HAWSER_LDAP_CA_FILE"):
        try:
            if values[name] and "BEGIN CERTIFICATE" not in Path(values[name]).read_text(encoding="utf-8"):
                found.append(f"{name} holds no certificate in PEM form")
        except (OSError, UnicodeDecodeError) as error:
            found.append(f"{name} cannot be read ({error})")
    return found
