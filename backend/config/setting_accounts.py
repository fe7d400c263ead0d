"""Settings of what a user does first, and of how long personal data of accounts is kept."""

from __future__ import annotations

from typing import Final

from backend.config.setting_kinds import Flag, Number, Setting

ACCOUNTS: Final = (
    Setting(
        "HAWSER_INITIAL_PASSWORD_H",
        Number(0, 720),
        "72",
        "hours within which a user must replace a password that an administrator set; 0: it can stay",
        relaxed_default="0",
    ),
    Setting(
        "HAWSER_PRIVACY_NOTICE",
        Flag(),
        "1",
        "each user reads once [what is kept of persons](../explanation/security.md#what-data-is-there), and agrees",
        relaxed_default="0",
    ),
)
