"""Runs one checking program, prints its output, ends it at a time limit, and reads its report."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial

from deploy.services.patience import patience
from deploy.services.process import ROOT, die_with_parent, kill_group
from deploy.testrun.counts import Counts, from_junit, repeated
from deploy.testrun.workspace import Workspace


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


def run_tests(
    workspace: Workspace,
    name: str,
    command: Sequence[str],
    *,
    limit_s: float,
    env: Mapping[str, str] | None = None,
    again: Sequence[str] = (),
) -> Counts:
    """Runs a test runner that writes JUnit XML to `{report}` of its command; without a report that is one failure.

    In the whole suite what failed is repeated once, with the options of `again`: what passes then is unsteady, and
    counts as failed all the same.
    """

    def once(report_name: str, *more: str) -> Counts:
        report = workspace.report(report_name)
        filled = [part.replace("{report}", str(report)) for part in (*command, *more)]
        own = {"PLAYWRIGHT_JUNIT_OUTPUT_FILE": str(report), **(env or {})}
        code = run_tool(filled, limit_s=limit_s, env=own)
        counts = from_junit(report.read_text()) if report.exists() else Counts()
        if code != 0 and counts.failed == 0:
            counts += Counts(failed=1, failures=(f"{name}: ended with {code}",))
        return counts

    counts = once(f"{name}.xml")
    if workspace.is_whole and counts.failed and again:
        counts = repeated(counts, once(f"{name}-again.xml", *again))
    return counts


def _end(process: subprocess.Popen[bytes]) -> None:
    """SIGINT first: test runners stop their own servers on it."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
    kill_group(process.pid)
    process.wait()
