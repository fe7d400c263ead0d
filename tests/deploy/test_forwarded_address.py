"""Whose address the audit record holds: the peer's, or where a proxy is declared, the one that the proxy added."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.config.bounded_http import BoundedProtocol
from deploy.demo import console
from deploy.demo.options import parse
from deploy.services.process import ROOT
from tests.deploy.served_console import Served, sign_in

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return Served(tmp_path_factory.mktemp("served"))


def test_source__no_proxy_declared__is_the_peer_whatever_was_sent(served: Served) -> None:
    with served.web() as port:
        sign_in(port, X_Forwarded_For="203.0.113.77")
    assert served.sources_of_sign_ins()[-1] == "127.0.0.1"


def test_source__behind_a_proxy__is_the_last_address_not_the_callers_own_words(served: Served) -> None:
    with served.web(HAWSER_BEHIND_PROXY="1") as port:
        sign_in(port, X_Forwarded_For="203.0.113.77, 198.51.100.4")
    assert served.sources_of_sign_ins()[-1] == "198.51.100.4"


def test_web__started_by_image_and_demo__reads_no_forwarded_headers_itself(tmp_path: Path) -> None:
    assert '"--no-proxy-headers", "--ws", "none"' in (ROOT / "deploy/images/Dockerfile").read_text()
    (web,) = (each for each in console.processes(parse(["--home", str(tmp_path)]), {}) if each.name == "web")
    assert "--no-proxy-headers" in web.command
    assert "--ws none" in " ".join(web.command), "the console speaks no WebSocket"
    assert "--ws none" in (ROOT / "deploy/systemd/hawser-web.service").read_text()


def test_web__started_by_image_unit_demo_or_hand__bounds_its_connections(tmp_path: Path) -> None:
    (web,) = (each for each in console.processes(parse(["--home", str(tmp_path)]), {}) if each.name == "web")
    bounded = f"--http {BoundedProtocol.__module__}:{BoundedProtocol.__name__}"
    assert bounded in " ".join(web.command)
    assert bounded in (ROOT / "deploy/images/Dockerfile").read_text().replace('", "', " ")
    assert bounded in (ROOT / "deploy/systemd/hawser-web.service").read_text()
    assert bounded in (ROOT / "docs/how-to/install.md").read_text()
