"""Tests that this machine cannot run."""

from __future__ import annotations

import os

import pytest

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="gives files to other accounts, which root alone may do")
