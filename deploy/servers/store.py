"""The folder of builds: what is there, and fetching what is not."""

from __future__ import annotations

import json
import platform
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from deploy.servers import debian, maven, patching, server
from deploy.servers.catalogue import CATALOGUE, HOST, Build, Origin, build_of
from deploy.servers.checksums import Download
from deploy.servers.errors import ServerError
from deploy.servers.folders import home, locked
from deploy.servers.server import Server

Say = Callable[[str], None]
_RECORD, _WORK = "fetched.json", ".work"
_MACHINE = "x86_64"


def ready(name: str) -> Server:
    """A server that can be started now; ServerError if it was not fetched."""
    folder = home() / name
    if name not in CATALOGUE and name != HOST and folder.is_dir():
        return server.in_folder(name, folder, {})
    build = build_of(name)
    if build.origin is Origin.INSTALLED:
        return _installed(build)
    if not (folder / _RECORD).exists():
        raise ServerError(f"{name} is not in {home()}. Run `python -m deploy.servers fetch {name}`")
    found = server.in_folder(name, folder / "root", build.options)
    return replace(found, resumes_only_from_storage=build.resumes_only_from_storage)


def ensure(name: str, say: Say) -> Server:
    """The server, fetched first if need be; says what that took."""
    folder = home() / name
    if name in CATALOGUE and build_of(name).origin in (Origin.DEBIAN, Origin.MAVEN):
        with locked(home()):
            if not is_complete(folder):
                _fetch(build_of(name), folder, say)
    return ready(name)


def own(say: Say) -> dict[str, Server]:
    """Servers in folders of the user's own, by name; says which folder holds none that runs, and why."""
    found: dict[str, Server] = {}
    for folder in sorted(home().glob("*")):
        if folder.name in CATALOGUE or folder.name.endswith(_WORK) or not folder.is_dir():
            continue
        try:
            found[folder.name] = ready(folder.name)
        except ServerError as error:
            say(f"{folder.name} is left out: {error}")
    return found


def is_complete(folder: Path) -> bool:
    """Whether a build was fetched here and the folder still is where its programs look for their libraries."""
    record = folder / _RECORD
    return record.exists() and json.loads(record.read_text())["folder"] == str(folder)


def _installed(build: Build) -> Server:
    found = server.host(build.name, build.options)
    if build.series and not found.version().startswith(f"{build.series}."):
        raise ServerError(f"{build.name} is this machine's own server, which is {found.version()}. Choose `{HOST}`")
    return found


def _fetch(build: Build, folder: Path, say: Say) -> None:
    """In a folder beside it first, so that an interrupted one never passes for a build."""
    if platform.machine() != _MACHINE:
        raise ServerError(f"{build.name} is fetched for {_MACHINE} only, and this machine is {platform.machine()}")
    began = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    work = folder.with_name(build.name + _WORK)
    shutil.rmtree(work, ignore_errors=True)
    root = folder / "root"
    root.mkdir(parents=True)
    try:
        downloads = _download(build, work, root)
        patching.apply(patching.plan(root))
        version = server.in_folder(build.name, root, {}).version()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    seconds = time.monotonic() - began
    _write(folder, version, downloads)
    say(summary(build.name, version, sum(one.size for one in downloads), size_of(root), seconds))


def _download(build: Build, work: Path, root: Path) -> list[Download]:
    if build.origin is Origin.MAVEN:
        return maven.fetch(build.artifact, build.sha256, work, root)
    return debian.fetch(build.suite, build.packages, work, root)


def _write(folder: Path, version: str, downloads: list[Download]) -> None:
    record = {"folder": str(folder), "version": version, "files": [asdict(one) for one in downloads]}
    (folder / _RECORD).write_text(json.dumps(record, indent=1))


def size_of(root: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.lstat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())


def summary(name: str, version: str, fetched: int, stored: int, seconds: float) -> str:
    """What a fetch took, in one line."""
    return f"{name}: {version} fetched in {seconds:.0f} s, {fetched / 1e6:.0f} MB; {stored / 1e6:.0f} MB on disk"
