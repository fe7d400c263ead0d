"""Runs Keycloak in its development mode on loopback, fetched by Maven into the cache of the project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from deploy.services.net import free_port
from tests.support.providers.oidc import CLIENT_ID, SECRET, Browser, Provider, open_url, receiver
from tests.support.waiting import patience, wait_for

VERSION = "26.7.3"
PASSWORD = "a long word of the realm"
CACHE = Path(__file__).resolve().parents[3] / ".cache" / "keycloak"
_START_S = 240


def realm(console: str, back_channel: str) -> dict[str, object]:
    """A realm with one client, one user and the user's group."""
    mapper = {
        "name": "groups",
        "protocol": "openid-connect",
        "protocolMapper": "oidc-group-membership-mapper",
        "config": {"claim.name": "groups", "full.path": "false", "id.token.claim": "true"},
    }
    client = {
        "clientId": CLIENT_ID,
        "secret": SECRET,
        "redirectUris": [f"{console}/sign-in/callback"],
        "standardFlowEnabled": True,
        "attributes": {
            "pkce.code.challenge.method": "S256",
            "backchannel.logout.url": back_channel,
            "backchannel.logout.session.required": "true",
            "post.logout.redirect.uris": f"{console}/sign-in",
        },
        "protocolMappers": [mapper],
    }
    user = {
        "username": "anna",
        "enabled": True,
        "email": "anna@example.net",
        "emailVerified": True,
        "firstName": "Anna",
        "lastName": "Example",
        "groups": ["/dba"],
        "credentials": [{"type": "password", "value": PASSWORD}],
    }
    return {"realm": "ops", "enabled": True, "groups": [{"name": "dba"}], "clients": [client], "users": [user]}


class KeycloakBrowser(Browser):
    """Fills in Keycloak's own page."""

    def form(self, url: str, page: str, login: str) -> tuple[int, Any, str]:
        """Send name and password to the address of the form."""
        action = unescape(re.findall(r'<form[^>]*action="([^"]+)"', page)[0])
        return open_url(self.opener, action, urlencode({"username": login, "password": PASSWORD}).encode())


@contextmanager
def keycloak(home: Path, console: str) -> Iterator[Provider]:
    """Running in the block."""
    server = _unpacked(home)
    with receiver() as (address, tokens):
        (server / "data" / "import").mkdir(parents=True)
        (server / "data" / "import" / "ops.json").write_text(json.dumps(realm(console, address)))
        port = free_port()
        options = ["--import-realm", f"--http-port={port}", f"--http-management-port={free_port()}"]
        command = [str(server / "bin" / "kc.sh"), "start-dev", "--http-host=127.0.0.1", *options]
        child = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "JAVA_OPTS_APPEND": "-Xmx512m"},
            start_new_session=True,
        )
        try:
            issuer = f"http://127.0.0.1:{port}/realms/ops"
            wait_for(lambda: _answers(issuer), "Keycloak to start", _START_S, 0.5)
            yield Provider(issuer, tokens)
        finally:
            os.killpg(child.pid, 15)
            child.wait(60 * patience())


def _unpacked(home: Path) -> Path:
    """A copy of the distribution, fetched once."""
    archive = CACHE / "org/keycloak/keycloak-quarkus-dist" / VERSION / f"keycloak-quarkus-dist-{VERSION}.zip"
    if not archive.exists():
        artifact = f"-Dartifact=org.keycloak:keycloak-quarkus-dist:{VERSION}:zip"
        get = ["mvn", "-q", "-B", "dependency:get", artifact, "-Dtransitive=false", f"-Dmaven.repo.local={CACHE}"]
        subprocess.run(get, check=True, timeout=600, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home)
    server = home / f"keycloak-{VERSION}"
    (server / "bin" / "kc.sh").chmod(0o755)
    return server


def is_here() -> bool:
    """Whether Java and Maven are there; neither is needed for anything else."""
    return bool(shutil.which("java") and shutil.which("mvn"))


def _answers(issuer: str) -> bool:
    try:
        urlopen(f"{issuer}/.well-known/openid-configuration", timeout=5).close()  # noqa: S310 -- loopback
    except (URLError, OSError):
        return False
    return True
