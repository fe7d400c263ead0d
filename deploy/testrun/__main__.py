"""Runs the stages, also after one has failed, and ends with one line of totals."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType

from deploy.testrun.counts import Counts, last_line
from deploy.testrun.memory import servers_folder
from deploy.testrun.parallel_lane import BACKGROUND, FIRST, LAST, QUEUE, SLOTS, ParallelLane, Results, save
from deploy.testrun.stages import Stage, chosen
from deploy.testrun.workspace import Workspace, default_workspace, keep_compiled

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
CHECK_EVERY_S = 0.5


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


def report(results: dict[str, tuple[float, Counts]], total: Counts) -> None:
    """Prints times by stage, the slowest tests and the failures."""
    print("\n=== summary ===")
    for name, (seconds, counts) in results.items():
        print(f"  {name:<16} {seconds:7.1f} s  {counts.processor_s:7.1f} s of processors  {last_line(counts)}")
    print("  slowest:")
    for seconds, name in total.slow[:10]:
        print(f"    {seconds:7.2f} s  {name}")
    for name in total.failures:
        print(f"  FAILED {name}")


def main() -> int:
    """Exit code 0 only when every chosen stage ran tests and none failed."""
    given = _options()
    stages, workspace = chosen(given.stages), default_workspace()
    keep_compiled(workspace)
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    results = _run(stages, workspace) if given.stages else _run_all(workspace)
    if given.counts:
        save(given.counts, results)
    total = sum((counts for _, counts in results.values()), Counts())
    report(results, total)
    print(last_line(total), flush=True)
    return 1 if total.failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m deploy.testrun", description=__doc__)
    parser.add_argument("stages", nargs="*", help="stages to run; all stages if none is named")
    parser.add_argument("--counts", type=Path, help="file to write times and counts to")
    return parser.parse_args()


def _run(stages: list[Stage], workspace: Workspace) -> Results:
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


def _run_all(workspace: Workspace) -> Results:
    with servers_folder() as folder:
        return _run_in_parallel(replace(workspace, servers=folder or workspace.servers))


def _run_in_parallel(workspace: Workspace) -> Results:
    """Times and counts of all of `make test`, in the order the stages ended."""
    lanes: list[ParallelLane] = []
    try:
        results = _run(chosen([*FIRST]), workspace)
        background = [ParallelLane(workspace, names, is_in_background=True) for names in BACKGROUND]
        lanes += background
        results |= _run_queue(workspace, lanes, QUEUE, SLOTS)
        results |= _run_queue(workspace, lanes, LAST, 1)
        for lane in background:
            results |= lane.collect()
        return results
    finally:
        for lane in lanes:
            lane.stop()


def _run_queue(workspace: Workspace, lanes: list[ParallelLane], names: Sequence[str], slots: int) -> Results:
    """Each of these stages begins as soon as one of the slots is free."""
    results: Results = {}
    waiting, running = list(names), list[ParallelLane]()
    while waiting or running:
        while waiting and len(running) < slots:
            running.append(ParallelLane(workspace, [waiting.pop(0)]))
            lanes.append(running[-1])
        time.sleep(CHECK_EVERY_S)
        for lane in [lane for lane in running if lane.has_ended]:
            results |= lane.collect()
            running.remove(lane)
    return results


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Interrupted as signal_name:
        print(f"interrupted by {signal_name}", file=sys.stderr)
        sys.exit(130)
