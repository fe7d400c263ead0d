"""The audit record: its keys, and where its head is kept outside of the console's database."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from backend.config import env

# The newest writes the record, all of them verify it: put a new one in front and keep the old ones.
HAWSER_AUDIT_KEYS = env.text_list("HAWSER_AUDIT_KEY")

# A file the monitor appends the signed head to, best on another host's disk.
HAWSER_AUDIT_HEAD_FILE = env.text("HAWSER_AUDIT_HEAD_FILE")
# A receiver it posts the signed head to, and the secret it proves itself with to that receiver.
HAWSER_AUDIT_HEAD_URL = env.text("HAWSER_AUDIT_HEAD_URL")
HAWSER_AUDIT_HEAD_SECRET = env.text("HAWSER_AUDIT_HEAD_SECRET")
HAWSER_AUDIT_HEAD_INTERVAL_MIN = env.number("HAWSER_AUDIT_HEAD_INTERVAL_MIN")

if HAWSER_AUDIT_HEAD_URL and not HAWSER_AUDIT_HEAD_SECRET:
    raise ImproperlyConfigured(
        "Set HAWSER_AUDIT_HEAD_SECRET or HAWSER_AUDIT_HEAD_SECRET_FILE: the receiver of HAWSER_AUDIT_HEAD_URL checks"
        " the signature with it"
    )
