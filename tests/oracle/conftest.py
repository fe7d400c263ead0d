"""The oracle says how much it was asked."""

from __future__ import annotations

from tests.support.fuzz_report import pytest_configure, pytest_terminal_summary

__all__ = ["pytest_configure", "pytest_terminal_summary"]
