"""The settings in force, with secrets masked, and names in the environment that are not settings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Final

from backend.common.redaction import MASK
from backend.config.env import Reading
from backend.config.setting_kinds import Secret
from backend.config.setting_table import BY_NAME, SETTINGS

_URL_PASSWORD = re.compile(r"(\w://[^/@:]*:)[^/]*(@)|([?&][^=&]*(?:pass|secret|token)[^=&]*=)[^&]*", re.IGNORECASE)

OTHER_NAMES: Final = frozenset(
    {
        "HAWSER_BENCH_ORPHANS",
        "HAWSER_BENCH_ROUNDS",
        "HAWSER_BENCH_STEPS",
        "HAWSER_CA_FILE",
        "HAWSER_CHROMIUM",
        "HAWSER_DEMO_PASSWORD",
        "HAWSER_E2E_READY_FILE",
        "HAWSER_E2E_URL",
        "HAWSER_FAULT_AT",
        "HAWSER_FAULT_RESULTS",
        "HAWSER_FAULT_SEED",
        "HAWSER_FAULT_WAN",
        "HAWSER_FUZZ_EXAMPLES",
        "HAWSER_FUZZ_RESULTS",
        "HAWSER_FUZZ_SEED",
        "HAWSER_GOLDEN",
        "HAWSER_HA_RATE",
        "HAWSER_HA_RESULTS",
        "HAWSER_HOSTNAME",
        "HAWSER_HTTPS_ADDRESS",
        "HAWSER_HTTPS_PORT",
        "HAWSER_KEEP_LOGS",
        "HAWSER_LAB_SERVER",
        "HAWSER_MARATHON_LEG",
        "HAWSER_MARATHON_S",
        "HAWSER_NEW_SEEDS",
        "HAWSER_PATIENCE",
        "HAWSER_PORT",
        "HAWSER_CONTAINERS",
        "HAWSER_SERVERS",
        "HAWSER_TESTRUN_HOME",
        "HAWSER_TESTRUN_SERVERS",
        "HAWSER_TOKEN",
        "HAWSER_TOKEN_FILE",
        "HAWSER_URL",
        "HAWSER_WHOLE",
    }
)
"""Read by compose, the demo, the lab and the tests, so they are no mistake in the environment."""


def shown(reading: Reading) -> str:
    """The text of a setting as it is shown."""
    if isinstance(reading.setting.kind, Secret):
        return MASK if reading.text else ""
    return _URL_PASSWORD.sub(lambda match: f"{match[1] or match[3]}{MASK}{match[2] or ''}", reading.text)


def in_force(readings: Mapping[str, Reading]) -> list[dict[str, str]]:
    """Every setting with its value, origin and meaning."""
    return [
        {"name": name, "value": shown(one), "origin": one.origin, "description": one.setting.description}
        for name, one in readings.items()
    ]


def unknown_names(environ: Mapping[str, str]) -> dict[str, str]:
    """Names that start like a setting and are none, with the most similar setting for each ("" for none)."""
    found = {}
    for name in sorted(environ):
        setting = name.removesuffix("_FILE")
        if name.startswith("HAWSER_") and not {name, setting} & BY_NAME.keys() and name not in OTHER_NAMES:
            nearest = difflib.get_close_matches(setting, BY_NAME, n=1, cutoff=0.75)
            found[name] = "".join(nearest)
    return found


def set_twice(environ: Mapping[str, str]) -> list[str]:
    """Settings that are set both in the environment and by a file."""
    return [one.name for one in SETTINGS if environ.get(one.name) and environ.get(f"{one.name}_FILE")]
