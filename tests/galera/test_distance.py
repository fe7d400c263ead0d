"""The console and a channel over distance: what works beside each other works 50 and 150 ms apart, with loss too.

The console stands at site a, so all that it asks of site b takes the round trip as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.galera.relocate import both_lost, planned_move, source_lost
from tests.galera.scene import Scene
from tests.galera.sites import begin, site_lost_nothing_owed, there_and_back

pytestmark = pytest.mark.whole
WAN = "50ms"
DISTANCES = ((50, 0), (50, 1), (150, 1))
"""Round trip in ms, and loss of each direction in percent."""
WALKED = (planned_move, source_lost, both_lost, there_and_back, site_lost_nothing_owed)


@pytest.fixture(params=DISTANCES, ids=lambda distance: f"{distance[0]}ms-loss-{distance[1]}")
def distant(scene: Scene, request: pytest.FixtureRequest) -> Iterator[Scene]:
    """Sites so far apart during the test only: what heals afterwards is not what is tried."""
    begin(scene)
    milliseconds, loss = request.param
    distance = scene.stack.lab.distance
    distance.set_round_trip(milliseconds, loss)
    distance.reset()
    yield scene
    report = distance.report()
    print(f"router: lateness {report['lateness']}, disturbed: {report['disturbed'] or 'no'}")  # noqa: T201
    across = [pair for pair in report["pairs"] if {pair["from"], pair["to"]} & set(scene.pair())]
    assert sum(pair["bytes"] for pair in across) > 0
    assert (sum(pair["lost"] for pair in across) > 0) == (loss > 0)
    distance.clear()


@pytest.mark.parametrize("scenario", WALKED, ids=lambda scenario: scenario.__name__)
def test_distance__under_load__every_write_exactly_once(distant: Scene, scenario: Callable[[Scene], None]) -> None:
    scenario(distant)
