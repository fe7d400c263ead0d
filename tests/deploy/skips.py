"""Tests that this machine cannot run."""

from __future__ import annotations

import os

import pytest

from deploy.helm import program

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="gives files to other accounts, which root alone may do")
needs_helm = pytest.mark.skipif(program.installed() is None, reason="helm is not installed; `make chart` builds it")
