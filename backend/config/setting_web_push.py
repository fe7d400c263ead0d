"""Settings of Web Push."""

from __future__ import annotations

from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_kinds import Secret, Setting, Text, TextList

WEB_PUSH: Final = (
    Setting(
        "HAWSER_WEB_PUSH_KEY",
        Secret("URL-safe base64 of 32 bytes, or `off`", checks.web_push_key),
        "",
        "identifies the console to the [push services of browsers](../how-to/notifications.md); without it, or "
        "with `off`, Web Push cannot be turned on",
    ),
    Setting(
        "HAWSER_WEB_PUSH_CONTACT",
        Text(
            "`mailto:` with an address, or an https address",
            r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+",
        ),
        "mailto:operator@hawser.invalid",
        "where the operator of a push service can write to; sent with each message",
    ),
    Setting(
        "HAWSER_WEB_PUSH_NETWORKS",
        TextList("networks separated by commas, such as `203.0.113.0/24`", checks.check_network),
        "",
        "networks of push services; without it any public address and no private one",
    ),
)
