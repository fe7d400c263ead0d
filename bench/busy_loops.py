"""Other work on the machine: loops that take a processor each, as sessions of their own."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator

from deploy.services.process import PYTHON, die_with_parent

_WARM_UP_S = 1.5
_LONGEST_S = "90"


@contextlib.contextmanager
def busy_loops(number: int) -> Iterator[None]:
    """That many loops run until the end, which kills them; they end by themselves as well."""
    command = [PYTHON, "-c", f"import time\nend = time.monotonic() + {_LONGEST_S}\nwhile time.monotonic() < end: pass"]
    loops: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(number):
            loop = subprocess.Popen(command, start_new_session=True, preexec_fn=die_with_parent)  # noqa: PLW1509
            loops.append(loop)
        time.sleep(_WARM_UP_S)
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
