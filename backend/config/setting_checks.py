"""Checks of single hosts, networks, addresses and keys; ValueError states what is wrong and the remedy."""

from __future__ import annotations

import base64
import ipaddress
import os
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import SplitResult, parse_qs, urlsplit

from cryptography.fernet import Fernet

from backend.clusters.secret_stores.bound import entry_parts
from backend.config.setting_kinds import split

DEMO_SECRET_KEY: Final = "demo-only-" + "not-a-secret-" * 4
DEMO_CREDENTIALS_KEY: Final = "aGF3c2VyLWRlbW8tb25seS1jcmVkZW50aWFscy1rZXk="
DEMO_AUDIT_KEY: Final = "aGF3c2VyLWRlbW8tb25seS1hdWRpdC1jaGFpbi1rZXk="
"""Both are published with the code, so only demo and debug may use them."""

_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Almost every 32 bytes are a smaller number, and so a private key (FIPS 186-4)."""

SHORTEST_SECRET: Final = 32
FEWEST_DIFFERENT: Final = 8
"""Random text of 32 characters has more distinct ones; `aaaa…` and a repeated `changeme` have fewer."""

DATABASE_TLS_FILES: Final = ("ssl_ca", "ssl_cert", "ssl_key")
REDIS_TLS_FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
SYSLOG_TLS_FILES: Final = ("ca", "cert", "key")
"""Parameters of URLs that name files; those of Redis are redis-py's own."""

_HOST = re.compile(r"\.?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*")
_RANDOM_TEXT = "make one with `openssl rand -hex 40`"
_RANDOM_KEY = "make one with `openssl rand -base64 32 | tr '+/' '-_'`"


def check_host(item: str, relaxed: bool) -> None:
    """A name or address without scheme and port; a leading dot stands for all names below it."""
    if item == "*":
        if not relaxed:
            raise ValueError("'*' accepts any Host header; name each host of the console instead")
    elif not _HOST.fullmatch(item) and not _is_address(item.removeprefix("[").removesuffix("]")):
        raise ValueError(f"{item!r} is not a host; write a name or an address without scheme, port and path")


def of_environment(check: Callable[[str, bool], None]) -> Callable[[str, bool], None]:
    """What the check passes, for all clusters or as ENVIRONMENT=VALUE for those of one."""

    def checked(item: str, relaxed: bool) -> None:
        environment, value = entry_parts(item)
        if value != item and not environment.strip():
            raise ValueError(f"{item!r} names no environment; write it like production={value}")
        check(value, relaxed)

    return checked


def check_folder(item: str, relaxed: bool) -> None:
    """A whole path that is not the root."""
    if not item.startswith("/") or item.strip("/") == "" or ".." in item.split("/"):
        raise ValueError(f"{item!r} is not a folder; write its whole path like /run/secrets/hawser")


def check_variable(item: str, relaxed: bool) -> None:
    """The name of a variable that is no setting of the console."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", item) or item.upper().startswith("HAWSER_"):
        raise ValueError(f"{item!r} is not a variable for passwords; write its name, which does not begin with HAWSER_")


def check_vault_path(item: str, relaxed: bool) -> None:
    """A mount, and what follows it."""
    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*", item):
        raise ValueError(f"{item!r} is not a path in the vault; write mount and path like secret/hawser")


def check_address(item: str, relaxed: bool) -> None:
    """Host and port."""
    parts = _parts(f"//{item}")
    if parts is None or not parts.hostname or parts.port is None or parts.path or parts.username is not None:
        raise ValueError(f"{item!r} is not an address; write host and port like 10.1.0.5:8000 or [2001:db8::1]:8000")


def check_origin(item: str, relaxed: bool) -> None:
    """Scheme, host and port as a browser sends them."""
    parts = _parts(item)
    if parts is None or parts.scheme not in ("https", "http") or not parts.hostname or parts.username is not None:
        raise ValueError(
            f"{item!r} is not an origin; write it like https://hawser.example.net or https://10.0.0.5:8443"
        )
    if parts.path or parts.query or parts.fragment:
        raise ValueError(f"{item!r} has more than scheme, host and port; remove the rest")


def check_traces_endpoint(text: str) -> None:
    """Empty, or the whole address of a collector's traces."""
    parts = _parts(text)
    if not text:
        return
    if parts is None or parts.scheme not in ("https", "http") or not parts.hostname or parts.path in ("", "/"):
        raise ValueError(
            "must be the whole address of a collector's traces, such as https://collector.example.net:4318/v1/traces"
        )
    if parts.username is not None:
        raise ValueError("must not hold a user or password; set OTEL_EXPORTER_OTLP_HEADERS instead")


def check_syslog_url(text: str) -> None:
    """Empty, `tls://host:6514`, `tcp://host:601` or `unix:///path`. UDP loses records in silence."""
    parts = _parts(text)
    if not text:
        return
    if parts is None or parts.scheme not in ("tls", "tcp", "unix"):
        raise ValueError("must be tls://host:6514, tcp://host:601 or unix:///dev/log; UDP would lose records unseen")
    if parts.scheme == "unix" and (parts.netloc or len(parts.path) < 2):
        raise ValueError("names no socket; write unix:///dev/log")
    if parts.scheme != "unix" and not parts.hostname:
        raise ValueError("names no host; write tls://syslog.example.net:6514")
    if parts.scheme != "tls" and parts.query:
        raise ValueError("has parameters of TLS, but does not use TLS; write tls://")
    _check_parameters(parts.query, set(), SYSLOG_TLS_FILES)
    if ("cert=" in parts.query) != ("key=" in parts.query):
        raise ValueError("needs both cert and key for a client certificate")


def check_network(item: str, relaxed: bool) -> None:
    """A network in CIDR form, written with its first address."""
    try:
        ipaddress.ip_network(item)
    except ValueError as error:
        raise ValueError(f"{item!r} is not a network ({error}); write it like 10.1.0.0/16 or 2001:db8::/48") from None


def check_database_url(text: str) -> None:
    """`sqlite:///path` or `mysql://user:password@host:port/name`."""
    parts = _parts(text)
    if parts is not None and parts.scheme == "sqlite" and not parts.netloc:
        return
    if parts is None or parts.scheme not in ("mysql", "mariadb"):
        raise ValueError(
            "must be sqlite:///path or mysql://user:password@host:3306/name; "
            "percent-encode special characters in the password"
        )
    if not parts.hostname and "unix_socket" not in parse_qs(parts.query):
        raise ValueError("names no host; write mysql://user:password@host:3306/name")
    if not re.fullmatch(r"/[^/]+", parts.path):
        raise ValueError("names no database; write mysql://user:password@host:3306/name")
    _check_parameters(parts.query, {"unix_socket"}, DATABASE_TLS_FILES, main="ssl_ca")


def _check_parameters(query: str, known: set[str], files: tuple[str, ...], *, main: str = "") -> None:
    """Known names, each once; files that can be read. A name that is overlooked would leave a connection in clear."""
    given = parse_qs(query, keep_blank_values=True)
    for name, values in given.items():
        if name not in known and name not in files:
            raise ValueError(f"has an unknown parameter {name}; known are {', '.join(sorted({*known, *files}))}")
        if len(values) > 1:
            raise ValueError(f"has the parameter {name} more than once")
        if name in files and not os.access(values[0], os.R_OK):
            raise ValueError(f"names a file in {name} that cannot be read: {values[0]}")
    if main and main not in given and any(name in given for name in files):
        raise ValueError(f"has parameters of TLS but no {main}; name the file with the CA's certificate (PEM) there")


def check_redis_url(text: str) -> None:
    """`redis://:password@host:port/number`, `rediss` with TLS."""
    parts = _parts(text)
    if parts is None or parts.scheme not in ("redis", "rediss") or not parts.hostname:
        raise ValueError(
            "must be redis://:password@host:6379/0, or rediss:// with TLS; "
            "percent-encode special characters in the password"
        )
    if not re.fullmatch(r"/?|/\d+", parts.path):
        raise ValueError("must end in the number of a database, for example redis://:password@host:6379/0")
    _check_parameters(parts.query, set(), REDIS_TLS_FILES, main="ssl_ca_certs")
    if parts.query and parts.scheme == "redis":
        raise ValueError("has parameters of TLS, but redis:// does not use TLS; write rediss://")


def secret_key(text: str, relaxed: bool) -> str:
    """A long random text; only demo and debug may use the published one."""
    if not text:
        return ""  # of a process that needs none; a missing one is reported before
    if text == DEMO_SECRET_KEY:
        if not relaxed:
            raise ValueError(f"is the published value of the demo; {_RANDOM_TEXT}")
        return text
    if len(text) < SHORTEST_SECRET:
        raise ValueError(
            f"is too short ({len(text)} characters; at least {SHORTEST_SECRET} are needed); {_RANDOM_TEXT}"
        )
    if len(set(text)) < FEWEST_DIFFERENT:
        raise ValueError(f"repeats fewer than {FEWEST_DIFFERENT} characters and is not random; {_RANDOM_TEXT}")
    return text


def secret_keys(text: str, relaxed: bool) -> list[str]:
    """Keys by comma; each is checked on its own and named by its number in the list."""
    keys = split(text)
    for number, key in enumerate(keys, start=1):
        try:
            secret_key(key, relaxed)
        except ValueError as error:
            raise ValueError(f"key {number} of {len(keys)} {error}") from None
    return keys


def check_migrate_database_url(text: str) -> None:
    """Empty, or like the run-time account's."""
    if text:
        check_database_url(text)


def check_receiver_url(text: str) -> None:
    """Empty, or an address over HTTP."""
    parts = _parts(text)
    if text and (parts is None or parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("is not the address of a receiver; write it like https://evidence.example.net/heads")


def fernet_keys(text: str, relaxed: bool) -> list[str]:
    """Keys by comma, newest first; each is checked on its own and named by its number in the list."""
    keys = split(text)
    for number, key in enumerate(keys, start=1):
        fault = _fault_of_key(key, relaxed)
        if fault:
            raise ValueError(f"key {number} of {len(keys)} {fault}; {_RANDOM_KEY}")
    return keys


def web_push_key(text: str, relaxed: bool) -> str:
    """A private key of the curve P-256, as its 32 bytes; blank for `off`."""
    if text in ("", "off"):
        return ""
    fault = _fault_of_key(text, relaxed)
    if not fault and not 0 < int.from_bytes(base64.urlsafe_b64decode(text)) < _P256_ORDER:
        fault = "is no private key of the curve P-256"
    if fault:
        raise ValueError(f"{fault}; {_RANDOM_KEY}, or write off")
    return text


def _fault_of_key(key: str, relaxed: bool) -> str:
    try:
        Fernet(key)
    except ValueError:
        return "is not url-safe base64 of 32 bytes"
    # Bytes, not text: the decoder takes the same key in many spellings.
    content = base64.urlsafe_b64decode(key)
    if content in [base64.urlsafe_b64decode(published) for published in (DEMO_CREDENTIALS_KEY, DEMO_AUDIT_KEY)]:
        return "" if relaxed else "is the published value of the demo"
    return "" if len(set(content)) >= FEWEST_DIFFERENT else "repeats a few bytes and is not a random key"


def _parts(text: str) -> SplitResult | None:
    """Parts of an address; None if it is not one, including its port. The parser's own message may quote a password."""
    try:
        parts = urlsplit(text)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
