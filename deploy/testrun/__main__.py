"""Runs the stages, also after one has failed, and ends with one line of totals."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path
from types import FrameType

from deploy.services.memory import servers_folder
from deploy.testrun import whole
from deploy.testrun.counts import Counts, Results, last_line, save
from deploy.testrun.stages import Stage, chosen
from deploy.testrun.workspace import Workspace, default_workspace, keep_compiled

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Interrupted(BaseException):
    """A signal ended the run."""


def _on_signal(number: int, frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # stopping the services must not be interrupted
    raise Interrupted(signal.Signals(number).name)


def run_stage(stage: Stage, workspace: Workspace) -> Counts:
    """A stage that raises, or that ran no test, counts as failed."""
    print(f"\n=== {stage.name} ===", flush=True)
    try:
        counts = stage.run(workspace)
    except Exception:  # noqa: BLE001 - the other stages still run
        traceback.print_exc()
        return Counts(failed=1, failures=(f"{stage.name}: raised an error",))
    if counts.ran == 0:
        return counts + Counts(failed=1, failures=(f"{stage.name}: no test ran",))
    return counts


def run_stages(stages: list[Stage], workspace: Workspace) -> Results:
    """Times and counts by stage, one after the other."""
    results: Results = {}
    for stage in stages:
        started, before_s = time.monotonic(), _processor_s()
        counts = replace(run_stage(stage, workspace), processor_s=_processor_s() - before_s)
        results[stage.name] = (time.monotonic() - started, counts)
    return results


def _processor_s() -> float:
    """What this process and those that ended below it took of the processors, in seconds."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def report(results: Results, total: Counts) -> None:
    """Prints times by stage, the slowest tests and the failures."""
    print("\n=== summary ===")
    for name, (seconds, counts) in results.items():
        print(f"  {name:<16} {seconds:7.1f} s  {counts.processor_s:7.1f} s of processors  {last_line(counts)}")
    seconds = sum(seconds for seconds, _ in results.values())
    print(f"  {'together':<16} {seconds:7.1f} s  {total.processor_s:7.1f} s of processors")
    print("  slowest:")
    for seconds, name in total.slow[:10]:
        print(f"    {seconds:7.2f} s  {name}")
    for name in total.failures:
        print(f"  FAILED {name}")


def main() -> int:
    """Exit code 0 only when every chosen stage ran tests and none failed."""
    given = _options()
    stages = chosen(given.stages, is_whole=given.whole)
    keep_compiled(default_workspace())
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    with servers_folder() as folder:
        workspace = default_workspace(is_whole=given.whole, servers=folder)
        os.environ |= workspace.env(workspace.servers)
        if given.whole and given.counts is None:
            results = whole.run(stages, workspace, lanes=given.lanes, begin_with=given.begin_with)
        else:
            results = run_stages(stages, workspace)
    if given.counts:
        save(given.counts, results)
    total = sum((counts for _, counts in results.values()), Counts())
    report(results, total)
    print(last_line(total), flush=True)
    return 1 if total.failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m deploy.testrun", description=__doc__)
    parser.add_argument("stages", nargs="*", help="stages to run; those of `make test` if none is named")
    parser.add_argument("--whole", action="store_true", help="all of each stage, and every stage if none is named")
    parser.add_argument("--lanes", type=int, default=1, help="stages of the whole at once")
    parser.add_argument(
        "--from", dest="begin_with", help="go on with this stage; results of the same commit before it are kept"
    )
    parser.add_argument("--counts", type=Path, help="file to write times and counts to")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Interrupted as signal_name:
        print(f"interrupted by {signal_name}", file=sys.stderr)
        sys.exit(130)
