"""Suite of the REST contract."""

from __future__ import annotations

from tests.support.fixtures import *  # noqa: F403 - pytest takes fixtures by their names here
