"""States at the session's end how much was simulated, whichever process did it."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line: steps, runs and what came of them."""
    found: dict[str, int] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            is_call = getattr(report, "when", "") == "call"
            for name, value in report.user_properties if is_call else ():
                if name.startswith(("simulated ", "located ")):
                    found[name] = found.get(name, 0) + int(value)
    for name, value in sorted(found.items()):
        terminalreporter.write_line(f"{name}: {value:,}")
