"""A webhook as a plan needs it: when it is called, and whether it may stop the run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class HookPhase(StrEnum):
    """When a webhook is called; `test` only by hand."""

    BEFORE = "before"
    AFTER = "after"
    EVENT = "event"
    TEST = "test"


class HookService(StrEnum):
    """Who receives the calls: a webhook's own receiver, or a service in whose format a notification is written."""

    WEBHOOK = "webhook"
    EMAIL = "email"
    SLACK = "slack"
    TEAMS = "teams"
    PAGERDUTY = "pagerduty"
    OPSGENIE = "opsgenie"


@dataclass(frozen=True, slots=True)
class PlannedHook:
    """A webhook as a plan needs it; a blocking one that is not delivered stops the run.

    `address_digest` identifies the address that the webhook had when the plan was created.
    """

    id: str
    name: str
    phase: HookPhase
    blocking: bool
    timeout_s: int
    address_digest: str = ""
