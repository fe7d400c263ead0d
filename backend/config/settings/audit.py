"""The audit record: its keys, and where its head is kept outside of the console's database."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from backend.config import env

# The newest writes the record, all of them verify it: put a new one in front and keep the old ones.
HAWSER_AUDIT_KEYS = [
    key.strip()
    for key in env.secret("HAWSER_AUDIT_KEY", "aGF3c2VyLWRlbW8tb25seS1hdWRpdC1jaGFpbi1rZXk=").split(",")
    if key.strip()
]

# A file the monitor appends the signed head to, best on another host's disk.
HAWSER_AUDIT_HEAD_FILE = env.text("HAWSER_AUDIT_HEAD_FILE")
# A receiver it posts the signed head to, and the secret it proves itself with to that receiver.
HAWSER_AUDIT_HEAD_URL = env.text("HAWSER_AUDIT_HEAD_URL")
HAWSER_AUDIT_HEAD_SECRET = env.text("HAWSER_AUDIT_HEAD_SECRET")
HAWSER_AUDIT_HEAD_INTERVAL_MIN = env.number("HAWSER_AUDIT_HEAD_INTERVAL_MIN", 15)

if HAWSER_AUDIT_HEAD_URL and not HAWSER_AUDIT_HEAD_SECRET:
    raise ImproperlyConfigured(
        "Set HAWSER_AUDIT_HEAD_SECRET or HAWSER_AUDIT_HEAD_SECRET_FILE: the receiver of HAWSER_AUDIT_HEAD_URL checks"
        " the signature with it"
    )
if HAWSER_AUDIT_HEAD_INTERVAL_MIN <= 0:
    raise ImproperlyConfigured("HAWSER_AUDIT_HEAD_INTERVAL_MIN must be more than 0")
