"""What a lab with distance lacks is said in one sentence, with how it is had."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.lab.errors import LabError
from deploy.lab.layout import Settings, nodes_of
from deploy.lab.wan import requirements
from deploy.lab.wan.addresses import device, ends_of, namespace, network

EVERYTHING = "Name:\tx\nCapEff:\t000001ffffffffff\n"


@pytest.mark.parametrize(
    ("status", "names"),
    [
        ("CapEff:\t0000000000000000\n", "CAP_NET_ADMIN and CAP_SYS_ADMIN"),
        ("CapEff:\t0000000000001000\n", "lacks CAP_SYS_ADMIN"),
        ("CapEff:\t0000000000200000\n", "lacks CAP_NET_ADMIN"),
        ("", "CAP_NET_ADMIN and CAP_SYS_ADMIN"),
    ],
)
def test_missing__capabilities__named_with_the_remedy(status: str, names: str, tmp_path: Path) -> None:
    (tmp_path / "tun").touch()
    found = requirements.missing(status, tmp_path / "tun")
    assert any(names in one and "run it as root" in one for one in found), found


def test_missing__device__named_with_the_remedy(tmp_path: Path) -> None:
    found = requirements.missing(EVERYTHING, tmp_path / "tun")
    assert any("does not exist (modprobe tun" in one for one in found), found


def test_missing__program__named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tun").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    found = requirements.missing(EVERYTHING, tmp_path / "tun")
    assert [one for one in found if "iproute2" in one or "util-linux" in one] == found
    assert len(found) == 2


def test_require__something_missing__refused_in_one_sentence() -> None:
    requirements.require([])
    with pytest.raises(LabError, match="not possible here: this process lacks X; no tun"):
        requirements.require(["this process lacks X", "no tun"])


def test_addresses__two_labs__differ_in_network_namespace_and_device() -> None:
    one, other = Settings(net="127.7", wan=True), Settings(net="127.8", wan=True)
    ends = ends_of(one, nodes_of(one))
    assert [end.address for end in ends] == [
        "198.18.7.11", "198.18.7.12", "198.18.7.13", "198.18.7.21", "198.18.7.22", "198.18.7.23",
        "198.18.7.2", "198.18.7.3", "198.18.7.1",
    ]  # fmt: skip
    assert not network(one).overlaps(network(other))
    home, neighbour = Path("/tmp/one"), Path("/tmp/two")
    assert namespace(home, "db-a1") != namespace(neighbour, "db-a1")
    assert namespace(home, "console") == ""
    assert device(home) != device(neighbour)
    assert len(device(home)) <= 15
