"""TLS and login requirements as driver options, for mysqlclient on MariaDB Connector/C.

Observed on 10.11.19: `ssl_mode=VERIFY_CA` and above enforce and verify before credentials are sent;
`REQUIRED` enforces nothing, so the session checks the cipher itself right after login.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

from backend.gateway.connection.endpoint import Tls, TlsMode

_lock = threading.Lock()
_folder: Path | None = None
_PLUGINS = """[client]
restricted-auth=mysql_native_password,client_ed25519
"""
"""Logins by challenge only: with any other plugin a false server receives the password, or receives
it encrypted for a key of its own."""


def ca_file(pem: str) -> Path:
    """A private file with the certificate, for a driver that only accepts paths."""
    return _file(pem, ".pem")


def plugin_file() -> Path:
    """An option file that pins the login plugins; the driver has no argument for it."""
    return _file(_PLUGINS, ".cnf")


def _file(content: str, suffix: str) -> Path:
    global _folder  # noqa: PLW0603 - one folder a process, removed at its end
    with _lock:
        if _folder is None or not _folder.is_dir():
            _folder = Path(tempfile.mkdtemp(prefix="hawser-tls-"))
            atexit.register(shutil.rmtree, _folder, ignore_errors=True)
        path = _folder / f"{hashlib.sha256(content.encode()).hexdigest()}{suffix}"
        if not path.exists():
            partial = path.with_suffix(".part")
            partial.write_text(content)
            partial.rename(path)
        return path


def driver_options(tls: Tls) -> dict[str, Any]:
    """Arguments for MySQLdb.connect."""
    if tls.mode is TlsMode.DISABLED:
        return {"ssl_mode": "DISABLED"}
    options: dict[str, Any] = {"ssl_mode": tls.mode.value.upper()}
    if tls.ca_pem:
        options["ssl"] = {"ca": str(ca_file(tls.ca_pem))}
    return options
