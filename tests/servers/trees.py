"""Folders that look like a server's: a script that states a version, and the files that a release brings."""

from __future__ import annotations

from pathlib import Path

from deploy.servers.server import Server

PXC_84 = "8.4.8-8.1 for Linux on x86_64 (Percona XtraDB Cluster (GPL), Release rel8, Revision 000000, WSREP version 26)"
PXC_80 = (
    "8.0.36-28.1 for Linux on x86_64 (Percona XtraDB Cluster (GPL), Release rel28, Revision bfb687f, "
    "WSREP version 26.1.4.3)"
)
MYSQL_WSREP = "8.4.5-26.23 for Linux on x86_64 (MySQL-wsrep (GPL), wsrep_26.23)"
MYSQL = "8.4.8 for Linux on x86_64 (MySQL Community Server - GPL)"
MARIADB = "10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)"


def program(path: Path, text: str) -> Path:
    """A script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def tree(root: Path, says: str, *files: str, daemon: str = "bin/mysqld") -> Path:
    """A folder with a program that states this version, and these empty files."""
    program(root / daemon, f"echo '{root / daemon}  Ver {says}'")
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def pxc(root: Path, says: str = PXC_84) -> Path:
    """The archive of Percona XtraDB Cluster, as far as the lab looks."""
    return tree(
        root, says, "lib/libgalera_smm.so", "bin/wsrep_sst_xtrabackup-v2", "bin/wsrep_sst_clone",
        "bin/pxc_extra/pxb-8.4/bin/xtrabackup", "share/english/errmsg.sys", "lib/plugin/x.so",
    )  # fmt: skip


STRIPS_WSREP = """
case "$*" in *--version*) echo "$0  Ver {says}"; exit ;; esac
for given; do
  shift
  case "$given" in
    --defaults-file=*)
      file="${{given#--defaults-file=}}"
      grep -v -e '^wsrep_' -e '^pxc_' "$file" > "$file.plain"
      set -- "$@" "--defaults-file=$file.plain" ;;
    --wsrep-*) ;;
    *) set -- "$@" "$given" ;;
  esac
done
exec {daemon} "$@"
"""
"""Starts a real MySQL without the options that only a server with Galera knows."""


def stand_in(root: Path, mysql: Server) -> Path:
    """A tree that says to be Percona XtraDB Cluster and starts this MySQL, which has no Galera."""
    program(root / "bin/mysqld", STRIPS_WSREP.format(says=PXC_84, daemon=mysql.daemon))
    for name in ("lib/libgalera_smm.so", "bin/wsrep_sst_clone"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).touch()
    (root / "share").symlink_to(mysql.daemon.parents[1] / "share")
    (root / "lib/plugin").symlink_to(mysql.options["plugin_dir"])
    return root
