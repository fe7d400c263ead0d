"""Where a destination leads: the parts of a service's URL, and the host that its calls may go to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from backend.common.outgoing.url_policy import Target
from backend.core.hooks import HookService
from backend.notifications.hooks.messages.fields import FIELDS

_SLACK: Final = re.compile(r"https://hooks\.slack\.com/services/([A-Z0-9]+)/([A-Z0-9]+)/([A-Za-z0-9]+)/?")
_TEAMS: Final = re.compile(
    r"https://(?P<host>[A-Za-z0-9_.-]+\.(?:logic\.azure\.[a-z]{2,12}|(?:power|apps)platform(?:\.[a-z0-9-]{2,24}){1,3}))"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
    r"(?P<direct>/powerautomate/automations/direct(?:/cu/(?P<routing_id>[0-9]+))?)?"
    r"/workflows/(?P<workflow>[A-Za-z0-9_-]+)/triggers/manual/paths/invoke/?\?(?P<query>[\x21-\x7e]+)"
)
_SIGNATURE: Final = re.compile(r"[A-Za-z0-9_-]+")


def slack_tokens(url: str) -> tuple[str, str, str] | None:
    """The three parts of the URL of an incoming webhook; None if it is not one."""
    found = _SLACK.fullmatch(url)
    return (found[1], found[2], found[3]) if found else None


def teams_parts(url: str) -> dict[str, Any] | None:
    """The parts of the URL of a workflow, by Apprise's names; None if it is not one."""
    found = _TEAMS.fullmatch(url)
    query = parse_qs(found["query"]) if found else {}
    signature = query.get("sig", [""])[0]
    if found is None or not _SIGNATURE.fullmatch(signature):
        return None
    return {
        "host": found["host"],
        "port": int(found["port"]) if found["port"] else None,
        "workflow": found["workflow"],
        "signature": signature,
        "power_automate": found["direct"] is not None,
        "routing_id": found["routing_id"],
        "version": query.get("api-version", [None])[0],
    }


def api_host(service: HookService, fields: Mapping[str, Any]) -> str:
    """The only host that a call to the service may go to."""
    if service is HookService.TEAMS:
        return str((teams_parts(fields["url"]) or {"host": ""})["host"]).lower()
    return FIELDS[service].hosts[fields.get("region", "")]


def mail_server(fields: Mapping[str, Any]) -> Target:
    """The mail server, in the form that the rules for addresses take."""
    host, port = str(fields["host"]), int(fields["port"])
    return Target(fields["security"] == "tls", host, port, "", f"{host}:{port}")
