"""Who is at the shell: the account that the kernel runs this process for, never what the environment says."""

from __future__ import annotations

import os
import pwd


def os_user() -> str:
    """The name of the real user id; `uid-N` where the host knows none for it."""
    uid = os.getuid()
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid-{uid}"
