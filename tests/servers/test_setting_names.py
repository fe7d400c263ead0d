"""Every variable and column of a real server of each release has a judgement, so that none comes in unjudged."""

from __future__ import annotations

import pytest

from deploy.servers.catalogue import CATALOGUE
from tests.core.server_settings.unjudged import unjudged
from tests.servers.setting_names import names_of

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.mark.parametrize("release", CATALOGUE)
def test_server__each_of_its_names__has_a_judgement(release: str) -> None:
    assert unjudged(names_of(release)) == []
