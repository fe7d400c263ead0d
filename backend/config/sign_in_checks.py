"""Checks of single settings of sign-in; ValueError states what is wrong and the remedy."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

ROLES: Final = ("viewer", "operator", "approver", "admin")
_USERNAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,62}")


def check_username(item: str, relaxed: bool) -> None:
    """A name that a user can have."""
    if not _USERNAME.fullmatch(item):
        raise ValueError(f"{item!r} is not a user name; write names such as anna,carl")


def check_mapping(item: str, relaxed: bool) -> None:
    """A group and its role."""
    group, equals, role = item.rpartition("=")
    if not equals or not group.strip():
        raise ValueError(f"{item!r} is no mapping; write it like dba=operator")
    if role.strip() not in ROLES:
        raise ValueError(f"{item!r} names no role; the roles are {', '.join(ROLES)}")


def check_console_url(text: str) -> None:
    """Empty, or an origin."""
    if not text:
        return
    parts = _web_address(text, "https://hawser.example.net")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("has more than scheme, host and port; remove the rest")


def check_issuer(text: str) -> None:
    """Empty, or an issuer: an address without query and fragment (OpenID Connect Discovery, section 2)."""
    if text and (_web_address(text, "https://id.example.net").query or urlsplit(text).fragment):
        raise ValueError("must not have a query or fragment; write it as the discovery document does")


def check_ldap_url(text: str) -> None:
    """Empty, or scheme, host and port of a directory."""
    parts = _parts(text)
    if not text:
        return
    if parts is None or parts.scheme not in ("ldaps", "ldap") or not parts.hostname or parts.username is not None:
        raise ValueError("is not the address of a directory; write it like ldaps://ldap.example.net:636")
    if parts.path not in ("", "/") or parts.query:
        raise ValueError("has more than scheme, host and port; set the search by HAWSER_LDAP_USER_BASE")


def plain_secret(text: str, relaxed: bool) -> str:
    """The secret as it is, or empty."""
    return text


def _web_address(text: str, example: str) -> SplitResult:
    parts = _parts(text)
    if parts is None or parts.scheme not in ("https", "http") or not parts.hostname or parts.username is not None:
        raise ValueError(f"is not an address; write it like {example}")
    return parts


def _parts(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text)
        return parts if parts.port != 0 else None
    except ValueError:
        return None
