"""Requests through each sample proxy, to a console that is served as the unit serves it."""

from __future__ import annotations

import http.client
import shutil
import socket
import ssl
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.services.process import wait_until
from tests.deploy import proxy, stapling
from tests.deploy.served_console import Served

pytestmark = pytest.mark.slow

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
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what proxy and web know each other by."""
    folder = tmp_path_factory.mktemp("secrets")
    proxy.web_secrets(folder)
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return Served(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def console_port(served: Served, secrets: Path) -> Iterator[int]:
    with served.web(HAWSER_METRICS_PUBLIC="1", **proxy.web_settings(secrets)) as port:
        yield port


@pytest.fixture(scope="module", params=SAMPLES, ids=["host", "two-hosts", "compose"])
def sample(request: pytest.FixtureRequest) -> Sample:
    chosen: Sample = request.param
    return chosen


@pytest.fixture(scope="module")
def port(sample: Sample, console_port: int, secrets: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The proxy's."""
    folder, own = tmp_path_factory.mktemp("proxy"), proxy.free_port()
    proxy.certificate(folder)
    shutil.copytree(secrets, folder, dirs_exist_ok=True)
    with proxy.running(sample(folder, own, console_port), own):
        yield own


def test_sample__given_to_nginx__is_accepted(sample: Sample, tmp_path: Path) -> None:
    proxy.certificate(tmp_path)
    proxy.web_secrets(tmp_path)
    code, messages = proxy.accepted(sample(tmp_path, *proxy.ports()))
    # The certificate of this test is self-signed, and no authority says that it is not revoked.
    assert (code, [line for line in messages.splitlines() if '"ssl_stapling" ignored' not in line]) == (0, [])


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


WEAK = (
    ["-tls1"],
    ["-tls1_1"],
    ["-tls1_2", "-cipher", "AES128-GCM-SHA256@SECLEVEL=0"],
    ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA@SECLEVEL=0"],
    ["-tls1_2", "-cipher", "ECDHE-RSA-AES256-SHA384@SECLEVEL=0"],
    ["-tls1_2", "-cipher", "aNULL:eNULL:DES:3DES:RC4:MD5:PSK@SECLEVEL=0"],
)


def test_tls__weak_ciphers_and_old_versions__refused_and_the_strong_ones_taken(port: int) -> None:
    assert [options for options in WEAK if proxy.agreed(port, *options)] == []
    assert proxy.agreed(port).startswith("TLSv1.3 ")
    weaker_first = "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384"
    assert proxy.agreed(port, "-tls1_2", "-cipher", weaker_first) == "TLSv1.2 ECDHE-RSA-AES256-GCM-SHA384"


def test_certificate__of_an_authority_with_ocsp__is_shown_with_its_answer(sample: Sample, tmp_path: Path) -> None:
    own, authority = proxy.ports()
    stapling.certificate(tmp_path, authority)
    proxy.web_secrets(tmp_path)
    with stapling.responder(tmp_path, authority), proxy.running(sample(tmp_path, own, proxy.free_port()), own):
        # nginx asks after the first handshake, and staples what it has.
        assert wait_until(lambda: "OCSP Response Status: successful" in stapling.status_of(own), 20)
        assert "Cert Status: good" in stapling.status_of(own)


CLIENT_HELLO = bytes.fromhex("16030100c8010000c40303")
"""The beginning of a TLS handshake, of which the rest never comes."""


@pytest.mark.parametrize("begun", [b"", CLIENT_HELLO], ids=["nothing", "half"])
def test_handshake__never_finished__ended_by_the_proxy(sample: Sample, tmp_path: Path, begun: bytes) -> None:
    proxy.certificate(tmp_path)
    proxy.web_secrets(tmp_path)
    own, console = proxy.ports()
    config = sample(tmp_path, own, console)
    config.write_text(proxy.replaced(config.read_text(), {"client_header_timeout 10s": "client_header_timeout 200ms"}))
    with proxy.running(config, own), socket.create_connection(("127.0.0.1", own), timeout=20) as waiting:
        waiting.sendall(begun)
        assert waiting.recv(1) == b""


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/session", "/api/v1/metrics", "/" + "x" * 9000])
def test_proxy__its_own_answers__carry_the_transport_headers(port: int, path: str) -> None:
    status, headers = proxy.headers_of(port, path)
    assert [value for name, value in headers if name == "strict-transport-security"] == [
        "max-age=31536000; includeSubDomains"
    ], status
    assert [value for name, value in headers if name == "x-content-type-options"] == ["nosniff"]


def test_server__header__names_no_product_or_version(port: int, console_port: int, secrets: Path) -> None:
    _, headers = proxy.headers_of(port, "/healthz")
    assert dict(headers)["server"] == "nginx"
    context = ssl.create_default_context(cafile=str(secrets / "web_ca.pem"))
    url = f"https://{proxy.LOOPBACK}:{console_port}/healthz"
    with urllib.request.urlopen(url, timeout=20, context=context) as answer:
        assert "Server" not in answer.headers


def test_web__certificate_of_another_authority__gets_nothing_from_the_proxy(
    sample: Sample, console_port: int, tmp_path: Path
) -> None:
    own = proxy.free_port()
    proxy.certificate(tmp_path)
    proxy.web_secrets(tmp_path)
    with proxy.running(sample(tmp_path, own, console_port), own):
        assert proxy.ask(own, "/healthz")[0] == 502


def test_web__called_in_clear_text_or_with_a_weak_cipher__not_reached(console_port: int, secrets: Path) -> None:
    clear = http.client.HTTPConnection(proxy.LOOPBACK, console_port, timeout=20)
    clear.request("GET", "/healthz")
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        clear.getresponse()
    assert [options for options in WEAK if proxy.agreed(console_port, *options)] == []
    assert proxy.agreed(console_port).startswith("TLSv1.3 ")


def test_audit_log__sign_in_through_the_proxy__has_the_address_that_the_proxy_saw(port: int, served: Served) -> None:
    proxy.sign_in(port, source=WORLD)
    assert served.sources_of_sign_ins()[-1] == WORLD


def test_audit_log__forged_headers_at_the_port_of_web__has_the_address_of_the_peer(
    console_port: int, served: Served
) -> None:
    proxy.sign_in(console_port, **{"X-Forwarded-For": "203.0.113.77", "X-Hawser-Proxy": "guessed"})
    assert served.sources_of_sign_ins()[-1] == proxy.LOOPBACK
