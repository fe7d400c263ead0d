"""Settings of the external store of the audit log's head."""

from __future__ import annotations

from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_kinds import Number, Secret, Setting, Text, Url

AUDIT: Final = (
    Setting(
        "HAWSER_AUDIT_HEAD_FILE",
        Text("a file"),
        "",
        "file, best on another host's disk, to which the monitor appends the "
        "[signed head](../how-to/verify-audit-log.md)",
    ),
    Setting(
        "HAWSER_AUDIT_HEAD_URL",
        Url("`https://host/path`", checks.check_receiver_url),
        "",
        "receiver to which the monitor posts the signed head",
    ),
    Setting(
        "HAWSER_AUDIT_HEAD_SECRET",
        Secret("32 random characters or more", checks.secret_key),
        "",
        "signs the calls to that receiver",
    ),
    Setting(
        "HAWSER_AUDIT_SYSLOG",
        Url("`tls://host:6514?ca=/path/ca.pem`, `tcp://host:601` or `unix:///dev/log`", checks.check_syslog_url),
        "",
        "syslog receiver (RFC 5424) to which the monitor sends "
        "[every record](../how-to/verify-audit-log.md#send-every-record)",
    ),
    Setting(
        "HAWSER_AUDIT_JSONL_FILE",
        Text("a file"),
        "",
        "file to which the monitor appends every record as a line of JSON",
    ),
    Setting("HAWSER_AUDIT_HEAD_INTERVAL_MIN", Number(1, 1440), "15", "minutes between two signed heads"),
)
