"""Counts of a stage's reports: passed, failed and skipped tests."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

MESSAGE_CHARS = 400


@dataclass(frozen=True)
class Counts:
    """Numbers of one stage: `slow` holds (seconds, name), `failures` failed tests with first and last line of why.

    `processor_s` is what its processes, and those that they waited for, took of the processors.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    slow: tuple[tuple[float, str], ...] = ()
    failures: tuple[str, ...] = field(default=())
    processor_s: float = 0.0
    unsteady: tuple[str, ...] = ()
    """Of the failed ones those that passed when they were repeated."""

    @property
    def ran(self) -> int:
        """Tests that gave a verdict."""
        return self.passed + self.failed

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            tuple(sorted(self.slow + other.slow, reverse=True)[:10]),
            self.failures + other.failures,
            self.processor_s + other.processor_s,
            self.unsteady + other.unsteady,
        )


Results = dict[str, tuple[float, Counts]]
"""Seconds and counts by stage."""


def save(path: Path, results: Results) -> None:
    """Stores results for another process."""
    path.write_text(json.dumps({name: [seconds, asdict(counts)] for name, (seconds, counts) in results.items()}))


def load(path: Path) -> Results:
    """The results that `save` stored."""
    found: Results = {}
    for name, (seconds, fields) in json.loads(path.read_text()).items():
        slow = tuple((float(took), str(test)) for took, test in fields.pop("slow"))
        lists = {key: tuple(fields[key]) for key in ("failures", "unsteady")}
        found[name] = (seconds, Counts(**fields | lists, slow=slow))
    return found


def repeated(first: Counts, again: Counts) -> Counts:
    """The counts of a run whose failed tests were tried again."""
    still = {failure.partition(": ")[0] for failure in again.failures}
    names = (failure.partition(": ")[0] for failure in first.failures)
    return replace(first, unsteady=tuple(name for name in names if name not in still) if again.ran else ())


def from_junit(text: str) -> Counts:
    """Counts of a JUnit XML report, as pytest, vitest and Playwright write it."""
    counts = Counts()
    for case in ET.fromstring(text).iter("testcase"):  # noqa: S314 - see above
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        bad = [found for kind in ("failure", "error") for found in case.iter(kind)]
        idle = case.find("skipped") is not None
        counts += Counts(
            passed=int(not bad and not idle),
            failed=int(bool(bad)),
            skipped=int(idle and not bad),
            slow=((float(case.get("time") or 0), name),),
            failures=(_failure(name, f"{bad[0].get('message') or ''}\n{_error_in(bad[0].text)}"),) if bad else (),
        )
    return counts


def _error_in(text: str | None) -> str:
    """Playwright's message is the place alone; what was wrong there stands below it."""
    return next((line for line in (text or "").splitlines() if line.lstrip().startswith("Error:")), "")


def _failure(name: str, message: str) -> str:
    """The end of a run's output must include the reason, too; that of an error in a thread is the last line of it."""
    lines = [line.strip()[:MESSAGE_CHARS] for line in message.strip().splitlines()]
    return f"{name}: {' … '.join([lines[0], *lines[1:][-1:]])}" if lines else name


def last_line(total: Counts) -> str:
    """The one line a test run ends with."""
    line = f"{total.passed} passed, {total.failed} failed"
    return f"{line}, {total.skipped} skipped" if total.skipped else line
