"""Packages of another Debian suite, by the host's own apt and mirror, in folders of their own.

apt checks the suite's signature and the hash of every index. The private package state says that programs the host
has anyway are there (perl, rsync, socat and the like), so only the server and its libraries come.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from deploy.servers.checksums import Download, verify
from deploy.servers.errors import ServerError

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_FROM_HOST = (
    "adduser", "base-files", "cdebconf", "debconf", "debianutils", "gawk", "init-system-helpers", "iproute2",
    "libconfig-inifiles-perl", "libdbd-mariadb-perl", "libdbi-perl", "libpam-modules", "libpam-runtime", "login",
    "login.defs", "lsb-base", "lsof", "mariadb-common", "mysql-common", "passwd", "perl", "perl-base", "procps",
    "psmisc", "rsync", "socat", "sysvinit-utils",
)  # fmt: skip
_MAIN = re.compile(r"^(?P<uri>\S+) (?P<suite>\S+) main$")
_PRINTED = re.compile(r"^'[^']*' (?P<file>\S+) (?P<size>\d+) SHA256:(?P<sha256>[0-9a-f]{64})$")


def fetch(suite: str, packages: tuple[str, ...], work: Path, root: Path) -> list[Download]:
    """Download the packages with what they need, check each against the suite's index, unpack all into `root`."""
    _prepare(suite, work)
    _apt(work, suite, "update", "-o", "APT::Update::Error-Mode=any")
    promised = parse_promised(_apt(work, suite, "install", "--print-uris", *packages))
    _apt(work, suite, "install", "--download-only", *packages)
    archives = work / "archives"
    verify(archives, promised)
    for one in promised:
        subprocess.run(["dpkg-deb", "--extract", archives / one.file, root], check=True)
    return promised


def parse_promised(printed: str) -> list[Download]:
    """Names, sizes and checksums from `apt-get --print-uris`."""
    found = [match for line in printed.splitlines() if (match := _PRINTED.match(line))]
    if not found or len(found) != len(printed.splitlines()):
        raise ServerError("apt did not state a SHA-256 for every package. Nothing was fetched")
    return [Download(match["file"], int(match["size"]), match["sha256"]) for match in found]


def main_archive(targets: str) -> str:
    """The address of the host's own Debian archive, from `apt-get indextargets`: the first that is no side archive."""
    for line in targets.splitlines():
        match = _MAIN.match(line.strip())
        if match and "-" not in match["suite"]:
            return match["uri"]
    raise ServerError("apt on this machine has no Debian archive to take another suite from. Add one to its sources")


def host_archive() -> str:
    """The address of the Debian archive that this machine installs from."""
    try:
        listed = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise ServerError("packages of other suites need apt, which this machine does not have") from error
    return main_archive(listed.stdout)


def _prepare(suite: str, work: Path) -> None:
    for part in ("lists/partial", "archives/partial", "none"):
        (work / part).mkdir(parents=True)
    (work / "sources.list").write_text(f"deb [signed-by={KEYRING}] {host_archive()} {suite} main\n")
    (work / "status").write_text("".join(map(_installed, _FROM_HOST)))
    (work / "apt.conf").write_text(_configuration(work))


def _installed(package: str) -> str:
    return (
        f"Package: {package}\nStatus: install ok installed\nArchitecture: amd64\nMulti-Arch: allowed\n"
        "Maintainer: host\nDescription: provided by the host\nVersion: 99:0\n\n"
    )


def _configuration(work: Path) -> str:
    none = work / "none"
    options = {
        "Dir::State": work, "Dir::State::lists": work / "lists", "Dir::State::status": work / "status",
        "Dir::Cache": work, "Dir::Cache::archives": work / "archives",
        "Dir::Etc::sourcelist": work / "sources.list", "Dir::Etc::sourceparts": none,
        "Dir::Etc::preferencesparts": none, "APT::Install-Recommends": "false", "APT::Architecture": "amd64",
        "Acquire::ForceHash": "SHA256", "Acquire::Languages": "none", "Acquire::Retries": "1",
        "APT::Sandbox::User": "", "Debug::NoLocking": "true",
    }  # fmt: skip
    return "".join(f'{key} "{value}";\n' for key, value in options.items())


def _apt(work: Path, suite: str, *arguments: str) -> str:
    environment = {**os.environ, "APT_CONFIG": str(work / "apt.conf"), "LC_ALL": "C"}
    done = subprocess.run(
        ["apt-get", "-qq", "-y", *arguments], check=False, capture_output=True, text=True, env=environment
    )
    if done.returncode != 0:
        reason = next((line for line in done.stderr.splitlines() if line.startswith(("E:", "Err:"))), "no reason given")
        raise ServerError(
            f"the packages of Debian {suite} cannot be fetched ({reason}). Connect this machine to its package mirror "
            "once, or name a folder that already holds the server in HAWSER_SERVERS"
        )
    return done.stdout
