"""Runs all measurements of the adviser one after the other: `python -m bench adviser`."""

from __future__ import annotations

from collections.abc import Callable

from bench.adviser import apply_rate, bandwidth, concurrency, million_rows, profiles, state_transfer, transfer_settings

MODULES: dict[str, Callable[[], int]] = {
    "concurrency": concurrency.main,
    "bandwidth": bandwidth.main,
    "profiles": profiles.main,
    "apply-rate": apply_rate.main,
    "million-rows": million_rows.main,
    "state-transfer": state_transfer.main,
    "state-transfer-settings": transfer_settings.main,
}
"""Each returns an exit code and writes its own page."""


def main() -> int:
    """Exit code 0 when every measurement was made."""
    codes = []
    for name, measure in MODULES.items():
        print(f"- {name}", flush=True)
        codes.append(measure())
    return max(codes)
