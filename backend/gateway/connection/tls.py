"""TLS and login requirements as driver options, for mysqlclient on MariaDB Connector/C.

Observed on 10.11.19: `ssl_mode=VERIFY_CA` and above enforce and verify before credentials are sent;
`REQUIRED` enforces nothing, so the session checks the cipher itself right after login.

`caching_sha2_password`, the only plugin of MySQL 9, hands over the password: inside TLS in clear text, without TLS
encrypted for a key that the server sends, whichever server that is. It is allowed where the certificate is verified.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from backend.gateway.connection.endpoint import Tls, TlsMode

_lock = threading.Lock()
_files: dict[tuple[int, str], int] = {}
"""Descriptors by process and content; they stay open as long as the process runs."""
NATIVE, ED25519, SHA2 = "mysql_native_password", "client_ed25519", "caching_sha2_password"
_REMEDY = (
    f" {SHA2} (MySQL) hands over the password, so it is used only where the server's certificate is verified first: "
    "give the CA certificate of the cluster (tls.ca), and set tls.mode to verify_identity or verify_ca"
)


def is_verified(tls: Tls) -> bool:
    """Whether a server is sent a login only after its certificate was verified with the CA that was given."""
    return tls.mode in (TlsMode.VERIFY_CA, TlsMode.VERIFY_IDENTITY) and bool(tls.ca_pem)


def login_plugins(tls: Tls) -> tuple[str, ...]:
    """By challenge only, where the server may be a false one: with any other it receives the password, or receives
    it encrypted for a key of its own."""
    return (NATIVE, ED25519, SHA2) if is_verified(tls) else (NATIVE, ED25519)


def pem_file(pem: str) -> Path:
    """A private file with a certificate or key, for a driver that only accepts paths."""
    return _file(pem)


def other_plugin(tls: Tls, allowed: tuple[str, ...]) -> str:
    """What to say where a server requires a login by none of these plugins."""
    return f"the server requires a login by a plugin other than {', '.join(allowed)}." + (
        " Give the account one of these" if is_verified(tls) else _REMEDY
    )


def plugin_file(tls: Tls) -> Path:
    """An option file that pins the login plugins; the driver has no argument for it."""
    return _file(f"[client]\nrestricted-auth={','.join(login_plugins(tls))}\n")


def _file(content: str) -> Path:
    """A file in memory, one a content: a full disk or inode table of the host must not keep the console from a node."""
    wanted = os.getpid(), content
    with _lock:
        if wanted not in _files:
            number = os.memfd_create("hawser-tls")
            with os.fdopen(os.dup(number), "w") as file:
                file.write(content)
            _files[wanted] = number
        return Path(f"/proc/self/fd/{_files[wanted]}")


def driver_options(tls: Tls) -> dict[str, Any]:
    """Arguments for MySQLdb.connect."""
    if tls.mode is TlsMode.DISABLED:
        return {"ssl_mode": "DISABLED"}
    options: dict[str, Any] = {"ssl_mode": tls.mode.value.upper()}
    files = {"ca": tls.ca_pem, "cert": tls.cert_pem, "key": tls.key_pem}
    named = {name: str(pem_file(content)) for name, content in files.items() if content}
    return options | ({"ssl": named} if named else {})
