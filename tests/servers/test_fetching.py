"""What is fetched is what was promised."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from deploy.servers import debian, maven
from deploy.servers.catalogue import CATALOGUE, Origin
from deploy.servers.checksums import Download, verify
from deploy.servers.errors import ServerError

LINE = "'http://mirror/pool/g/galera-4_26.4.23_amd64.deb' galera-4_26.4.23_amd64.deb 916072 SHA256:" + "a" * 64


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
