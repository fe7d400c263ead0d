"""Each part is killed, frozen and cut off while a link is moved and calls come; no move fails and no call is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ha.moves import Mover
from tests.ha.targets import HARMS, TARGETS, restore, strike
from tests.ha.under_load import UnderLoad

LASTS_S = {"kill": 10.0, "freeze": 30.0, "cut": 30.0}


@pytest.mark.whole
@pytest.mark.timeout(900)
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("target", TARGETS)
def test_part__struck_while_a_link_is_moved__moves_verified_and_every_call_answered(
    under_load: UnderLoad, target: str, harm: str
) -> None:
    def struck(mover: Mover) -> Callable[[], object]:
        found = TARGETS[target](under_load.stack, mover)
        strike(found, harm)
        return lambda: restore(found, harm)

    under_load.judge(f"{target}, {harm}", struck, LASTS_S[harm])
