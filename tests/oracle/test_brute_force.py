"""Does the oracle's own judge speak: of a place one group off, of a GTID one off, of a feature that vanished?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.locate.model import Located
from backend.core.positions import MariadbGtid, MariadbGtidSet
from tests.core.builders.worlds import ask, forward, wrong
from tests.fakes.world import FakeWorld
from tests.oracle.features import FEATURES, too_rare


def _by_gtid() -> tuple[FakeWorld, Located, MariadbGtid]:
    """The answer for a link by GTID with more waiting, and the GTID of the source's domain in it."""
    world = FakeWorld.classic(has_gtid_channels=True)
    world.kill("b1")
    world.write("a2")
    located = forward(ask(world, "a2", "b2"))
    at = MariadbGtidSet.parse(located.facts["gtid_position"]).of_domain(world.a.domain)
    assert at is not None
    return world, located, at


def _moved(located: Located, gtid: MariadbGtid) -> Located:
    state = [own for own in MariadbGtidSet.parse(located.facts["gtid_position"]) if own.domain != gtid.domain]
    return replace(located, facts=located.facts | {"gtid_position": str(MariadbGtidSet.of([*state, gtid]))})


def test_wrong__as_located_by_gtid__right() -> None:
    world, located, at = _by_gtid()
    assert wrong(world, located) is None
    assert wrong(world, _moved(located, at)) is None


@pytest.mark.parametrize(("by", "says"), [(1, "lost"), (-1, "doubled")])
def test_wrong__gtid_one_off__told(by: int, says: str) -> None:
    world, located, at = _by_gtid()
    reason = wrong(world, _moved(located, replace(at, seq_no=at.seq_no + by)))
    assert reason is not None
    assert f"{says} [" in reason
    assert f"{says} []" not in reason


def test_wrong__domain_left_out__told() -> None:
    world, located, _ = _by_gtid()
    assert wrong(world, replace(located, facts=located.facts | {"gtid_position": ""})) is not None


def test_too_rare__a_feature_vanished__named() -> None:
    everywhere = dict.fromkeys(FEATURES, 100)
    assert too_rare(everywhere, 100) == {}
    assert too_rare(everywhere | {"big": 0}, 100) == {"big": 0}
    assert set(too_rare({}, 100)) == set(FEATURES)
