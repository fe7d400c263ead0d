"""Keys and passwords of a demo: random, in files that only their owner can read."""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

# One account per role, so that an approval can be tried in two browser windows.
USERS = {"vera": "viewer", "olaf": "operator", "anna": "approver", "admin": "admin", "ada": "admin"}


def keep(path: Path, value: str) -> str:
    """The secret in `path`; a new one is written there if there is none."""
    if path.exists():
        return path.read_text().strip()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(value + "\n")
    return value


def renewed(path: Path, value: str) -> Path:
    """Writes this value in place of an earlier one; returns the file."""
    path.unlink(missing_ok=True)
    keep(path, value)
    return path


def secret_key(folder: Path) -> Path:
    """File with the key that signs sessions."""
    keep(folder / "secret_key", secrets.token_urlsafe(50))
    return folder / "secret_key"


def credentials_key(folder: Path) -> Path:
    """File with the key that encrypts stored database passwords (32 bytes, URL-safe base64)."""
    keep(folder / "credentials_key", base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())
    return folder / "credentials_key"


def audit_key(folder: Path) -> Path:
    """File with the key that signs the chain of the audit log (32 bytes, URL-safe base64)."""
    keep(folder / "audit_key", base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())
    return folder / "audit_key"


def web_push_key(folder: Path) -> Path:
    """File with the key that identifies the console to push services (32 bytes, URL-safe base64)."""
    keep(folder / "web_push_key", base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())
    return folder / "web_push_key"


def password(folder: Path) -> str:
    """The password of all demo users; HAWSER_DEMO_PASSWORD sets it."""
    return os.environ.get("HAWSER_DEMO_PASSWORD") or keep(
        folder / "password", "-".join(secrets.token_hex(3) for _ in range(3))
    )
