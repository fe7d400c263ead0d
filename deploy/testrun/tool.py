"""Runs one checking program, streams what it says, and never lets it run for ever."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial

from deploy.services.process import ROOT, die_with_parent, kill_group


def run_tool(command: Sequence[str], *, limit_s: float, env: Mapping[str, str] | None = None) -> int:
    """Exit code of the program, its output shown as it comes; 124 when it was ended after `limit_s`."""
    # A session of its own: at the end nothing that the tool started may stay behind. Should we be
    # killed, it is interrupted, not terminated: test runners then take their own servers down.
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
    """SIGINT first: test runners take their own servers down on it."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
    kill_group(process.pid)
