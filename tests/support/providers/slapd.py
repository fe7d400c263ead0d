"""Runs OpenLDAP's server on loopback with TLS, its users and groups in a folder of the test."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ldap
import ldap.modlist

from deploy.services.net import free_port, port_open
from deploy.services.process import wait_until

BASE = "dc=example,dc=net"
PEOPLE, GROUPS = f"ou=people,{BASE}", f"ou=groups,{BASE}"
ROOT_DN, ROOT_PASSWORD = f"cn=console,{BASE}", "of the console"
PASSWORD = "a long word of the directory"
_CONF = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {home}/slapd.pid
TLSCACertificateFile {home}/ca.pem
TLSCertificateFile {home}/server.pem
TLSCertificateKeyFile {home}/server.key
allow bind_anon_dn
database mdb
maxsize 16777216
suffix "{base}"
rootdn "{root}"
rootpw "{password}"
directory {home}/data
"""
_PERSON = (
    "dn: uid={uid},{people}\nobjectClass: inetOrgPerson\nuid: {uid}\ncn: {uid}\nsn: {uid}\n"
    "mail: {uid}@example.net\nuserPassword: {password}\n"
)
_GROUP = "dn: cn={cn},{groups}\nobjectClass: groupOfNames\ncn: {cn}\nmember: {member}\n"


@dataclass(frozen=True, slots=True)
class Directory:
    """The running directory."""

    home: Path
    port: int
    tls_port: int

    @property
    def ca_file(self) -> str:
        """What signed its certificate."""
        return str(self.home / "ca.pem")

    def connection(self) -> Any:
        """As its administrator."""
        connection = ldap.initialize(f"ldap://127.0.0.1:{self.port}")
        connection.simple_bind_s(ROOT_DN, ROOT_PASSWORD)
        return connection

    def add(self, ldif: str) -> None:
        """Add one entry."""
        lines = [line.split(": ", 1) for line in ldif.strip().splitlines()]
        attributes: dict[str, list[bytes]] = {}
        for name, value in lines[1:]:
            attributes.setdefault(name, []).append(value.encode())
        self.connection().add_s(lines[0][1], ldap.modlist.addModlist(attributes))

    def add_person(self, uid: str) -> str:
        """Add a person with the password of all; returns the distinguished name."""
        self.add(_PERSON.format(uid=uid, people=PEOPLE, password=PASSWORD))
        return f"uid={uid},{PEOPLE}"

    def add_group(self, cn: str, member: str) -> str:
        """Add a group with one member; returns the distinguished name."""
        self.add(_GROUP.format(cn=cn, groups=GROUPS, member=member))
        return f"cn={cn},{GROUPS}"

    def delete(self, dn: str) -> None:
        """Remove an entry."""
        self.connection().delete_s(dn)


@contextmanager
def directory(home: Path) -> Iterator[Directory]:
    """Running in the block, with the base entries only."""
    _certificates(home)
    (home / "data").mkdir()
    (home / "slapd.conf").write_text(_CONF.format(home=home, base=BASE, root=ROOT_DN, password=ROOT_PASSWORD))
    running = Directory(home, free_port(), free_port())
    addresses = f"ldap://127.0.0.1:{running.port} ldaps://127.0.0.1:{running.tls_port}"
    command = ["/usr/sbin/slapd", "-f", str(home / "slapd.conf"), "-h", addresses, "-d", "0"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert wait_until(lambda: port_open(running.port), 20), "slapd does not listen"
        running.add(f"dn: {BASE}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: example\n")
        running.add(f"dn: {PEOPLE}\nobjectClass: organizationalUnit\nou: people\n")
        running.add(f"dn: {GROUPS}\nobjectClass: organizationalUnit\nou: groups\n")
        yield running
    finally:
        child.terminate()
        child.wait(10)


def _certificates(home: Path) -> None:
    (home / "san").write_text("subjectAltName=IP:127.0.0.1\n")
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    _openssl(
        "req", "-x509", *new, "-keyout", home / "ca.key", "-out", home / "ca.pem", "-subj", "/CN=tests", "-days", "3"
    )
    _openssl("req", *new, "-keyout", home / "server.key", "-out", home / "server.csr", "-subj", "/CN=127.0.0.1")
    _openssl("x509", "-req", "-in", home / "server.csr", "-CA", home / "ca.pem", "-CAkey", home / "ca.key",
             "-CAcreateserial", "-out", home / "server.pem", "-days", "3", "-extfile", home / "san")  # fmt: skip


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
