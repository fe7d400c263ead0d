from __future__ import annotations

import pytest

from tests.deploy.releases import Release, make_release


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return make_release(tmp_path_factory.mktemp("release"))
