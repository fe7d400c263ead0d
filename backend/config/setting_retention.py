"""Settings of how long the history of the lag is stored, by resolution."""

from __future__ import annotations

from typing import Final

from backend.config.setting_kinds import Number, Setting

RETENTION: Final = (
    Setting("HAWSER_LAG_SAMPLES_H", Number(1, 24, whole=True), "1", "hours for which each sample of the lag is stored"),
    Setting(
        "HAWSER_LAG_10S_DAYS", Number(1, 30, whole=True), "1", "days for which ten seconds of it are stored as one"
    ),
    Setting("HAWSER_LAG_1MIN_DAYS", Number(1, 365, whole=True), "7", "days for which a minute of it is stored as one"),
    Setting("HAWSER_LAG_10MIN_DAYS", Number(1, 3650, whole=True), "90", "days for which ten minutes are stored as one"),
)
