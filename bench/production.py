"""A console with the settings of production on loopback, for measurements that need no lab."""

from __future__ import annotations

import base64
import secrets

from deploy.services.process import Child

_KEYS = ("SECRET_KEY", "CREDENTIALS_KEY", "AUDIT_KEY", "PASSWORD_PEPPER")


def settings(database_url: str) -> dict[str, str]:
    """Environment of each process: new keys, no Redis, no TLS, which the proxy has; a password alone signs in."""
    keys = {f"HAWSER_{name}": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode() for name in _KEYS}
    return keys | {
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DATABASE_URL": database_url,
        "HAWSER_REDIS_URL": "redis://127.0.0.1:1/0",
        "HAWSER_ALLOWED_HOSTS": "127.0.0.1",
        "HAWSER_PLAIN_HTTP": "1",
        "HAWSER_SECOND_FACTOR_ROLES": "off",
        "HAWSER_INITIAL_PASSWORD_H": "0",
        "HAWSER_PRIVACY_NOTICE": "0",
    }


def pid_of(child: Child) -> int:
    """The process of a part that runs; raises RuntimeError where it does not."""
    if child.process is None:
        raise RuntimeError(f"{child.name} does not run")
    return child.process.pid
