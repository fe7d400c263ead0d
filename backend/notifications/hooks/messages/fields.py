"""The services that can be notified, a closed list, and the fields that each of them needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from backend.core.hooks import HookService

SECRET_FIELDS: Final = ("url", "key", "password")
"""Never shown. The URLs of Slack and Teams hold their token."""
REGIONS: Final = ("us", "eu")
SECURITIES: Final = ("starttls", "tls", "none")
SERVICES: Final = tuple(service for service in HookService if service is not HookService.WEBHOOK)


@dataclass(frozen=True, slots=True)
class ServiceFields:
    """Required fields, each with what to enter, and optional ones; `hosts` are those of its API by region."""

    required: Mapping[str, str]
    optional: tuple[str, ...] = ()
    hosts: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All fields of the service."""
        return (*self.required, *self.optional)


FIELDS: Final[Mapping[HookService, ServiceFields]] = {
    HookService.EMAIL: ServiceFields(
        {
            "host": "Enter the host name of the mail server.",
            "port": "Enter the port of the mail server, for example 587.",
            "security": "Choose starttls, tls or none.",
            "sender": "Enter the address that the mails are sent from.",
            "recipients": "Enter the address of one recipient or more.",
        },
        ("user", "password"),
    ),
    HookService.SLACK: ServiceFields(
        {"url": "Enter the URL of the incoming webhook."},
        hosts={"": "hooks.slack.com"},
    ),
    HookService.TEAMS: ServiceFields({"url": "Enter the URL of the workflow."}),
    HookService.PAGERDUTY: ServiceFields(
        {"key": "Enter the integration key of an Events API v2 integration."},
        ("region",),
        {"us": "events.pagerduty.com", "eu": "events.eu.pagerduty.com"},
    ),
    HookService.OPSGENIE: ServiceFields(
        {"key": "Enter the key of an API integration."},
        ("region",),
        {"us": "api.opsgenie.com", "eu": "api.eu.opsgenie.com"},
    ),
}
