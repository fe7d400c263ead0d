"""Runs one checking program, prints its output, and ends it at a time limit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial

from deploy.services.patience import patience
from deploy.services.process import ROOT, die_with_parent, kill_group


def run_tool(command: Sequence[str], *, limit_s: float, env: Mapping[str, str] | None = None) -> int:
    """Exit code of the program, with its output printed as it comes; 124 if it was ended after `limit_s`.

    The limit is multiplied by `patience`, as are the waits of the tests in it.
    """
    limit_s *= patience()
    # A session of its own, so that nothing the tool started is left at the end. If this process is
    # killed, the tool is interrupted, not terminated: test runners then stop their own servers.
    process = subprocess.Popen(
        list(command),
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=partial(die_with_parent, signal.SIGINT),  # noqa: PLW1509 - see die_with_parent
    )
    try:
        return process.wait(limit_s)
    except subprocess.TimeoutExpired:
        print(f"ended after {limit_s:.0f} s: {' '.join(command)}", flush=True)
        return 124
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """SIGINT first: test runners stop their own servers on it."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
    kill_group(process.pid)
    process.wait()
