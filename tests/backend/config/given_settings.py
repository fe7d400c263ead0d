"""Settings of a console that may start, and what is said of others."""

from __future__ import annotations

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from backend.config.env import read

KEY = Fernet.generate_key().decode()
GOOD = {
    "HAWSER_SECRET_KEY": "0123456789abcdef" * 3,
    "HAWSER_CREDENTIALS_KEY": KEY,
    "HAWSER_AUDIT_KEY": Fernet.generate_key().decode(),
    "HAWSER_PASSWORD_PEPPER": Fernet.generate_key().decode(),
}


def fault(**given: str) -> str:
    """What is said of these settings beside good keys; "" where nothing is wrong."""
    try:
        read(GOOD | given)
    except ImproperlyConfigured as error:
        return str(error)
    return ""
