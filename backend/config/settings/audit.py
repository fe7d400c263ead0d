"""The audit log: its keys, and the external store of its head."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from backend.config import env

# The newest key writes records, all of them verify: put a new one first and keep the old ones.
HAWSER_AUDIT_KEYS = env.text_list("HAWSER_AUDIT_KEY")

# A file to which the monitor appends the signed head, best on another host's disk.
HAWSER_AUDIT_HEAD_FILE = env.text("HAWSER_AUDIT_HEAD_FILE")
# A receiver to which it posts the signed head, and the secret that signs these calls.
HAWSER_AUDIT_HEAD_URL = env.text("HAWSER_AUDIT_HEAD_URL")
HAWSER_AUDIT_HEAD_SECRET = env.text("HAWSER_AUDIT_HEAD_SECRET")
HAWSER_AUDIT_HEAD_INTERVAL_MIN = env.number("HAWSER_AUDIT_HEAD_INTERVAL_MIN")

# Where the monitor sends every record: a syslog receiver, and a file of JSON Lines.
HAWSER_AUDIT_SYSLOG = env.text("HAWSER_AUDIT_SYSLOG")
HAWSER_AUDIT_JSONL_FILE = env.text("HAWSER_AUDIT_JSONL_FILE")

if HAWSER_AUDIT_HEAD_URL and not HAWSER_AUDIT_HEAD_SECRET:
    raise ImproperlyConfigured(
        "Set HAWSER_AUDIT_HEAD_SECRET or HAWSER_AUDIT_HEAD_SECRET_FILE. The receiver of "
        "HAWSER_AUDIT_HEAD_URL verifies the signature with it"
    )
