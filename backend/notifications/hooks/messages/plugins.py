"""Apprise's plugins of the services, made from the fields of a destination and a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from apprise import AppriseAsset, NotifyBase, NotifyType, OverflowMode, PersistentStoreMode
from apprise.plugins.opsgenie import NotifyOpsgenie
from apprise.plugins.pagerduty import NotifyPagerDuty
from apprise.plugins.slack import NotifySlack
from apprise.plugins.workflows import NotifyWorkflows

from backend.core.findings import Severity
from backend.core.hooks import HookService
from backend.notifications.hooks.messages.addresses import slack_tokens, teams_parts
from backend.notifications.hooks.messages.message import Message

_Plugin = Callable[..., NotifyBase]
_NEW_SLACK: _Plugin = NotifySlack
_NEW_WORKFLOWS: _Plugin = NotifyWorkflows
_NEW_OPSGENIE: _Plugin = NotifyOpsgenie
"""Their own signatures have no types."""
_UNUSED: Final = "unused"
"""The plugin asks for an API key of PagerDuty; events need none, and the header that would hold it is not sent."""


def type_of(message: Message) -> NotifyType:
    """Apprise's word for a severity."""
    if message.severity in (Severity.BLOCKER, Severity.UNKNOWN):
        return NotifyType.FAILURE
    if message.severity is Severity.WARNING:
        return NotifyType.WARNING
    return NotifyType.SUCCESS if message.severity is Severity.OK else NotifyType.INFO


def _common() -> dict[str, Any]:
    """No pictures from foreign hosts, nothing stored, one part, no retry."""
    asset = AppriseAsset(storage_mode=PersistentStoreMode.MEMORY, secure_logging=True)
    asset.app_id = asset.app_desc = "Hawser"
    return {"asset": asset, "overflow": OverflowMode.TRUNCATE, "retry": 0}


def _slack(fields: Mapping[str, Any], message: Message) -> NotifyBase:
    token_a, token_b, token_c = slack_tokens(fields["url"]) or ("", "", "")
    return _NEW_SLACK(token_a=token_a, token_b=token_b, token_c=token_c, include_image=False, **_common())


def _teams(fields: Mapping[str, Any], message: Message) -> NotifyBase:
    return _NEW_WORKFLOWS(**(teams_parts(fields["url"]) or {}), include_image=False, **_common())


def _pagerduty(fields: Mapping[str, Any], message: Message) -> NotifyBase:
    return NotifyPagerDuty(
        apikey=_UNUSED,
        integrationkey=fields["key"],
        region_name=fields["region"],
        source="Hawser",
        component=message.details.get("link", "Hawser"),
        action="resolve" if message.is_end else "trigger",
        dedup=message.condition,
        click=message.url or None,
        details=dict(message.details),
        include_image=False,
        **_common(),
    )


def _opsgenie(fields: Mapping[str, Any], message: Message) -> NotifyBase:
    is_urgent = message.severity in (Severity.BLOCKER, Severity.UNKNOWN)
    return _NEW_OPSGENIE(
        apikey=fields["key"],
        targets=[],
        region_name=fields["region"],
        action="new",
        alias=message.condition,
        priority="p1" if is_urgent else "p3",
        entity=message.details.get("link", "Hawser"),
        details=dict(message.details),
        **_common(),
    )


PLUGINS: Final[Mapping[HookService, Callable[[Mapping[str, Any], Message], NotifyBase]]] = {
    HookService.SLACK: _slack,
    HookService.TEAMS: _teams,
    HookService.PAGERDUTY: _pagerduty,
    HookService.OPSGENIE: _opsgenie,
}
