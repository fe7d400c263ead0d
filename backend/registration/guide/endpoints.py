"""Where the passwords of a guided registration go, as a digest that each call with a password repeats."""

from __future__ import annotations

import hashlib
import json
import secrets

from backend.common.errors import conflict
from backend.registration.guide.content import side_of
from backend.registration.models import SIDES, RegistrationDraft


def digest_of_endpoints(draft: RegistrationDraft) -> str:
    """Of the addresses of both clusters, and of how a server there is told from another one: mode and certificates."""
    sides = [side_of(draft, side) for side in SIDES]
    endpoints = [
        {
            "entry": [one.host, one.port],
            "nodes": [[node["host"], node["port"]] for node in one.nodes],
            "administrator": one.administrator,
            "tls": [one.tls_mode, one.tls_ca, one.tls_cert],
        }
        for one in sides
    ]
    return hashlib.sha256(json.dumps(endpoints, sort_keys=True).encode()).hexdigest()


def check_endpoints(draft: RegistrationDraft, seen: str) -> None:
    """Raise 409 `endpoints_changed` unless the draft still leads where the caller saw it lead."""
    if not secrets.compare_digest(seen, digest_of_endpoints(draft)):
        raise conflict(
            "endpoints_changed",
            "Addresses, TLS mode or certificates of this registration are not those that you were shown. Nothing was "
            "stored or sent to a server. Load the registration again, read them, and repeat the step.",
        )
