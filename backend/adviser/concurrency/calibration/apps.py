"""The Django application of calibrations."""

from __future__ import annotations

from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    """Stores calibrations and their results."""

    name = "backend.adviser.concurrency.calibration"
    label = "calibration"
