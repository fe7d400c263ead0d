"""How hard the properties are tried: the same examples in every run, or `HAWSER_FUZZ_EXAMPLES=20000` new ones."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings


def hunted(usual: int) -> int:
    """How many examples to try."""
    return int(os.environ.get("HAWSER_FUZZ_EXAMPLES") or usual)


def examples(usual: int) -> settings:
    """Settings of one property."""
    hunt = os.environ.get("HAWSER_FUZZ_EXAMPLES")
    return settings(
        max_examples=hunted(usual),
        derandomize=hunt is None,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
