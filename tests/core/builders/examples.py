"""With which examples the properties are tried, and with how many.

The same in every run: what is drawn follows from the property alone. `HAWSER_NEW_SEEDS=1` draws others and says of
which seed; `HAWSER_FUZZ_SEED=N` draws those of N again. A tenth of them is tried, with new seeds or `HAWSER_WHOLE=1`
all, and with `HAWSER_FUZZ_EXAMPLES=20000` that many.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, core, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

SEED = "HAWSER_FUZZ_SEED"
IS_WHOLE = "1" in (os.environ.get("HAWSER_WHOLE"), os.environ.get("HAWSER_NEW_SEEDS"))
if os.environ.get("HAWSER_NEW_SEEDS") == "1":
    os.environ.setdefault(SEED, str(secrets.randbelow(2**31)))  # an environment that xdist's workers inherit

digest: Callable[[Any], bytes] = core.function_digest
"""Hypothesis' own: of the property's name and source."""


def seeded_digest(test: Any) -> bytes:
    """Which examples a property draws: with one seed, every property others."""
    return digest(test) + os.environ.get(SEED, "").encode()


# Else it also draws from the constants of whatever modules are loaded, so that the examples depend on which tests ran
# before and change with any line of the console.
providers._get_local_constants = Constants
core.function_digest = seeded_digest


def hunted(usual: int, few: int | None = None) -> int:
    """How many examples to try; outside a whole run `few`, a tenth unless that says too little."""
    if given := os.environ.get("HAWSER_FUZZ_EXAMPLES"):
        return int(given)
    if IS_WHOLE:
        return usual
    return max(1, usual // 10) if few is None else few


def moments(count: int, first: int, one_in: int = 9) -> range:
    """Of 0 to `count` with `HAWSER_WHOLE=1` each, in `make test-whole` three of `one_in`, else not half of one.

    By another `first` other ones; never none. An odd step, which goes through all of what alternates.
    """
    few = 2 * one_in + 1
    step = 1 if os.environ.get("HAWSER_WHOLE") else one_in // 3 if os.environ.get("HAWSER_NEW_SEEDS") else few
    return range(first % min(step, max(count, 1)), count, step)


def examples(usual: int, few: int | None = None) -> settings:
    """Settings of one property. On a busy machine drawing, or one example, may take long."""
    return settings(
        max_examples=hunted(usual, few),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
