"""The operating system's account of this process, from the kernel and not from environment variables."""

from __future__ import annotations

import os
import pwd


def os_user() -> str:
    """The name of the real user id; `uid-N` if the host knows no name for it."""
    uid = os.getuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid-{uid}"
