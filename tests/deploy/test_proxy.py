"""Requests through each sample proxy, to a console that is served as the unit serves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deploy import proxy
from tests.deploy.served_console import Served

pytestmark = pytest.mark.deploy

WORLD = "127.0.0.9"
"""Any address but the one that the sample allows."""
SPELLINGS = (
    "/metrics",
    "/api/v1/metrics",
    "/metrics?x=1",
    "//metrics",
    "/api//v1/metrics",
    "/%6detrics",
    "/api/v1/%6d%65trics",
    "/api/%76%31/metrics",
    "/x/../metrics",
    "/api/v1/x/../metrics",
    "/./metrics",
    "/api/v1/metrics#x",
)
Sample = Callable[[Path, int, int], Path]
SAMPLES = [proxy.host_sample, proxy.two_hosts_sample, proxy.compose_sample]


@pytest.fixture(scope="module")
def console_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    served = Served(tmp_path_factory.mktemp("served"))
    with served.web(HAWSER_BEHIND_PROXY="1", HAWSER_METRICS_PUBLIC="1") as port:
        yield port


@pytest.fixture(scope="module", params=SAMPLES, ids=["host", "two-hosts", "compose"])
def sample(request: pytest.FixtureRequest) -> Sample:
    chosen: Sample = request.param
    return chosen


@pytest.fixture(scope="module")
def port(sample: Sample, console_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The proxy's."""
    folder, own = tmp_path_factory.mktemp("proxy"), proxy.free_port()
    proxy.certificate(folder)
    with proxy.running(sample(folder, own, console_port), own):
        yield own


def test_sample__given_to_nginx__is_accepted(sample: Sample, tmp_path: Path) -> None:
    proxy.certificate(tmp_path)
    assert proxy.accepted(sample(tmp_path, *proxy.ports())) == (0, "")


def test_console__through_the_proxy__answers_the_world(port: int) -> None:
    assert proxy.ask(port, "/healthz", source=WORLD) == (200, '{"status":"ok"}')
    assert proxy.ask(port, "/api/v1/session", source=WORLD)[0] == 401


@pytest.mark.parametrize("path", SPELLINGS)
def test_metrics__asked_by_the_world__denied_however_they_are_spelt(port: int, path: str) -> None:
    status, text = proxy.ask(port, path, source=WORLD)
    assert status in (403, 404), text
    assert "hawser_" not in text


@pytest.mark.parametrize("host", [proxy.HOST, "localhost", "127.0.0.1"])
@pytest.mark.parametrize("path", ["/metrics", "/api/v1/metrics"])
def test_metrics__asked_on_this_host__served_by_the_samples_of_hosts_alone(
    sample: Sample, port: int, path: str, host: str
) -> None:
    status, text = proxy.ask(port, path, host=host)
    if sample is not proxy.compose_sample:
        assert (status, "# HELP hawser_" in text) == (200, True), text
    else:
        assert status == 404
