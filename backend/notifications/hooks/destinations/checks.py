"""Whether the fields of a destination can be used; a ProblemError names the field and what to enter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from backend.common.errors import invalid
from backend.common.outgoing.url_policy import check_target, check_url
from backend.core.hooks import HookService
from backend.notifications.hooks.messages.addresses import mail_server, slack_tokens, teams_parts
from backend.notifications.hooks.messages.fields import FIELDS

_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_MOVED: Final = ("host", "port", "security")


def complete(service: HookService, given: Mapping[str, Any], stored: Mapping[str, Any]) -> dict[str, Any]:
    """The given fields over the stored ones, checked."""
    known = FIELDS[service]
    for name in given:
        if name not in known.names:
            raise invalid(f"settings.{name}", f"{service.value} has no such field. Use {', '.join(known.names)}.")
    _check_password_is_given_again(given, stored)
    fields = {**({"region": "us"} if "region" in known.names else {}), **stored, **given}
    for name, remedy in known.required.items():
        if not fields.get(name):
            raise invalid(f"settings.{name}", remedy)
    _CHECKS[service](fields)
    return fields


def _check_password_is_given_again(given: Mapping[str, Any], stored: Mapping[str, Any]) -> None:
    """A stored password is sent to the server that it was entered for, and to no other."""
    is_moved = any(name in given and given[name] != stored.get(name) for name in _MOVED)
    if stored.get("password") and is_moved and "password" not in given:
        raise invalid("settings.password", "Enter the password again: the mail server was changed.")


def _check_mail(fields: Mapping[str, Any]) -> None:
    if fields.get("password") and not fields.get("user"):
        raise invalid("settings.user", "Enter the user that the password belongs to, or remove the password.")
    if fields.get("user") and fields["security"] == "none":
        raise invalid("settings.security", "Choose starttls or tls: a password is not sent in clear text.")
    check_target(mail_server(fields), "settings.host")


def _check_slack(fields: Mapping[str, Any]) -> None:
    if slack_tokens(fields["url"]) is None:
        raise invalid("settings.url", "Use the URL of an incoming webhook: https://hooks.slack.com/services/T…/B…/….")
    check_url(fields["url"], "settings.url")


def _check_teams(fields: Mapping[str, Any]) -> None:
    if teams_parts(fields["url"]) is None:
        raise invalid(
            "settings.url",
            "Use the URL of a Teams workflow, at logic.azure.com or powerplatform.com, with its sig.",
        )
    check_url(fields["url"], "settings.url")


def _check_key(fields: Mapping[str, Any]) -> None:
    if not _KEY.fullmatch(fields["key"]):
        raise invalid("settings.key", "Use the key as the service shows it: 16 to 64 letters, digits and dashes.")


_CHECKS: Final[Mapping[HookService, Callable[[Mapping[str, Any]], None]]] = {
    HookService.EMAIL: _check_mail,
    HookService.SLACK: _check_slack,
    HookService.TEAMS: _check_teams,
    HookService.PAGERDUTY: _check_key,
    HookService.OPSGENIE: _check_key,
}
