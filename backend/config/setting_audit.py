"""Settings of where the audit record's head is kept outside of the console's database."""

from __future__ import annotations

from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_kinds import Number, Secret, Setting, Text, Url

AUDIT: Final = (
    Setting(
        "HAWSER_AUDIT_HEAD_FILE",
        Text("a file"),
        "",
        "file, best on another host's disk, that the monitor appends the "
        "[signed head](../how-to/verify-audit-log.md) to",
    ),
    Setting(
        "HAWSER_AUDIT_HEAD_URL",
        Url("`https://host/path`", checks.check_receiver_url),
        "",
        "receiver that the monitor posts the signed head to",
    ),
    Setting(
        "HAWSER_AUDIT_HEAD_SECRET",
        Secret("32 random characters or more", checks.secret_key),
        "",
        "signs the call to that receiver",
    ),
    Setting("HAWSER_AUDIT_HEAD_INTERVAL_MIN", Number(1, 1440), "15", "minutes between two of them"),
)
