"""Rebuilds a site from the other one, as an administrator does it: mariadb-backup, an empty folder, a new cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from deploy.lab import cluster
from deploy.lab.cluster import LabContext
from deploy.lab.errors import LabError
from deploy.lab.layout import Node, Paths
from deploy.lab.server import process

BACKUP_LIMIT = 300.0
JOIN_LIMIT = 180.0
CLOSED = ("--skip-slave-start", "--read-only=1")
"""A copy writes nothing of its own before it is attached."""


def report(paths: Paths) -> dict[str, str]:
    """The last rebuild: `state` is idle, running, done or failed, with the site and what is to be known of it."""
    try:
        return dict(json.loads(_report_file(paths).read_text()))
    except FileNotFoundError:
        return {"state": "idle", "site": "", "donor": "", "coordinate": "", "galera": "", "detail": ""}


def write_report(paths: Paths, state: str, site: str, **more: str) -> None:
    """Write it down, whole or not at all."""
    blank = {"donor": "", "coordinate": "", "galera": "", "detail": ""}
    draft = _report_file(paths).with_suffix(".draft")
    draft.write_text(json.dumps({"state": state, "site": site, **blank, **more}))
    draft.rename(_report_file(paths))


def _report_file(paths: Paths) -> Path:
    return paths.home / "run" / "rebuild.json"


@dataclass(frozen=True)
class BackupPosition:
    """Where the backup was taken, as mariadb-backup wrote it down: the donor's coordinate, and the cluster's seqno."""

    donor: str
    coordinate: str
    galera: str


def rebuild(ground: LabContext, site: str, donor: Node) -> BackupPosition:
    """Replace every node of `site` by a copy of `donor`, which goes on working. LabError names what failed."""
    if ground.server(donor).family.is_mysql:
        raise LabError(f"{donor.name} runs {ground.server(donor).title}. A rebuild copies MariaDB only")
    write_report(ground.paths, "running", site, donor=donor.name)
    try:
        position = _rebuilt(ground, site, donor)
    except BaseException as error:
        write_report(ground.paths, "failed", site, donor=donor.name, detail=str(error))
        raise
    write_report(ground.paths, "done", site, **asdict(position))
    return position


def _rebuilt(ground: LabContext, site: str, donor: Node) -> BackupPosition:
    members = ground.members(site)
    for node in members:
        process.kill(ground.paths.pid(node.name))
    folder = ground.paths.home / "backup"
    position = _back_up(ground, donor, folder)
    first, joiners = members[0], members[1:]
    _put(folder, ground.paths.datadir(first.name))
    cluster.launch(ground, first, "--wsrep-new-cluster", *CLOSED)
    cluster.wait_synced(ground, [first])
    for node in joiners:
        _clear(ground.paths.datadir(node.name))
        cluster.launch(ground, node, *CLOSED)
        cluster.wait_synced(ground, [node], JOIN_LIMIT)
    shutil.rmtree(folder)
    return position


def _back_up(ground: LabContext, donor: Node, folder: Path) -> BackupPosition:
    """Backup and prepare, in `folder`; the account goes by a file that only its owner reads."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    secret = ground.paths.home / "run" / "backup.cnf"
    login = f"[mariadb-backup]\nuser = {ground.admin.user}\npassword = {ground.admin.password}\n"
    handle = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(f"!include {ground.paths.config(donor.name)}\n{login}")
    try:
        _run(ground, donor, f"--defaults-file={secret}", "--backup", "--galera-info", f"--target-dir={folder}",
             f"--socket={ground.paths.socket(donor.name)}")  # fmt: skip
    finally:
        secret.unlink()
    _run(ground, donor, "--prepare", f"--target-dir={folder}")
    return BackupPosition(donor.name, _line(folder, "binlog_info"), _line(folder, "galera_info"))


def _run(ground: LabContext, donor: Node, *arguments: str) -> None:
    log = ground.paths.log("backup")
    with log.open("ab") as output:
        done = subprocess.run(
            ["mariadb-backup", *arguments], check=False, stdout=output, stderr=output, timeout=BACKUP_LIMIT,
            env=ground.server(donor).environment(),
        )  # fmt: skip
    if done.returncode != 0:
        raise LabError(f"mariadb-backup failed. See {log}")


def _line(folder: Path, name: str) -> str:
    """The file is called xtrabackup_… or, in newer releases, mariadb_backup_…"""
    found = [file for prefix in ("xtrabackup", "mariadb_backup") for file in folder.glob(f"{prefix}_{name}")]
    if not found:
        raise LabError(f"the backup in {folder} has no {name}")
    return " ".join(found[0].read_text().split())


def _clear(datadir: Path) -> None:
    shutil.rmtree(datadir, ignore_errors=True)
    datadir.mkdir(mode=0o700)


def _put(folder: Path, datadir: Path) -> None:
    """The copy without the donor's log, which would count as its own, and without a saved Galera state."""
    shutil.rmtree(datadir, ignore_errors=True)
    shutil.copytree(folder, datadir)
    cluster.strip_identity(datadir)
    (datadir / "grastate.dat").unlink(missing_ok=True)
