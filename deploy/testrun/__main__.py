"""Runs the stages, also after one has failed, and ends with one line of totals."""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from pathlib import Path
from types import FrameType

from deploy.testrun.counts import Counts, last_line
from deploy.testrun.parallel_lane import ALONE, ASIDE, LANES, ParallelLane, Results, save
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


def report(results: dict[str, tuple[float, Counts]], total: Counts) -> None:
    """Prints times by stage, the slowest tests and the failures."""
    print("\n=== summary ===")
    for name, (seconds, counts) in results.items():
        print(f"  {name:<16} {seconds:7.1f} s  {last_line(counts)}")
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
    results = _run(stages, workspace, in_lanes=not given.stages)
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


def _run(stages: list[Stage], workspace: Workspace, *, in_lanes: bool) -> Results:
    """Times and counts by stage, in the order they ended."""
    results: Results = {}
    lanes: list[ParallelLane] = []
    try:
        for stage in stages:
            if in_lanes and stage.name in ASIDE:
                continue
            if stage.name in LANES or stage.name in ALONE:
                results |= _collected(lanes, with_background=False)
            if in_lanes and stage.name in LANES:
                lanes += [ParallelLane(workspace, lane) for lane in LANES[stage.name]]
            started = time.monotonic()
            counts = run_stage(stage, workspace)
            results[stage.name] = (time.monotonic() - started, counts)
        return results | _collected(lanes, with_background=True)
    finally:
        for lane in lanes:
            lane.stop()


def _collected(lanes: list[ParallelLane], *, with_background: bool) -> Results:
    """The results of lanes, as soon as they have ended; those are taken from the list."""
    results: Results = {}
    for lane in [lane for lane in lanes if with_background or not lane.is_in_background]:
        results |= lane.collect()
        lanes.remove(lane)
    return results


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Interrupted as signal_name:
        print(f"interrupted by {signal_name}", file=sys.stderr)
        sys.exit(130)
