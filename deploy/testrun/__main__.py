"""Runs the stages, all of them whatever happens, and ends with one line of totals."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from types import FrameType

from deploy.testrun.counts import Counts, last_line
from deploy.testrun.place import Place, here
from deploy.testrun.stages import Stage, chosen

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Interrupted(BaseException):
    """A signal asked the run to end."""


def _on_signal(number: int, frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # taking down must not be interrupted half-way
    raise Interrupted(signal.Signals(number).name)


def run_stage(stage: Stage, place: Place) -> Counts:
    """A stage that breaks, or that ran nothing, is a failure and not an absence."""
    print(f"\n=== {stage.name} ===", flush=True)
    try:
        counts = stage.run(place)
    except Exception:  # noqa: BLE001 - whatever broke, the other stages still run
        traceback.print_exc()
        return Counts(failed=1, failures=(f"{stage.name}: broke",))
    if counts.ran == 0:
        return counts + Counts(failed=1, failures=(f"{stage.name}: no test ran",))
    return counts


def report(results: dict[str, tuple[float, Counts]], total: Counts) -> None:
    """Times by stage, the slowest tests, what failed."""
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
    stages, place = chosen(sys.argv[1:]), here()
    for number in SIGNALS:
        signal.signal(number, _on_signal)
    results: dict[str, tuple[float, Counts]] = {}
    for stage in stages:
        started = time.monotonic()
        counts = run_stage(stage, place)
        results[stage.name] = (time.monotonic() - started, counts)
    total = sum((counts for _, counts in results.values()), Counts())
    report(results, total)
    print(last_line(total), flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Interrupted as signal_name:
        print(f"interrupted by {signal_name}", file=sys.stderr)
        sys.exit(130)
