"""Identifiers: a letter that names the kind and twelve base32 characters (60 random bits)."""

from __future__ import annotations

import secrets

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
ID_LENGTH = 14
# One function a kind, because migrations refer to a default by its name.


def new_id(prefix: str) -> str:
    """A fresh id such as `r_k3vq7m2xw5ta`."""
    return f"{prefix}_" + "".join(secrets.choice(_ALPHABET) for _ in range(12))


def cluster_id() -> str:
    """Of a cluster."""
    return new_id("c")


def node_id() -> str:
    """Of a node."""
    return new_id("n")


def link_id() -> str:
    """Of a link."""
    return new_id("l")


def plan_id() -> str:
    """Of a plan."""
    return new_id("p")


def run_id() -> str:
    """Of a run."""
    return new_id("r")


def token_id() -> str:
    """Of a token."""
    return new_id("t")


def credential_id() -> str:
    """Of a sealed credential."""
    return new_id("s")


def lab_check_id() -> str:
    """Of a verification of the lab."""
    return new_id("v")


def hook_id() -> str:
    """Of a webhook."""
    return new_id("h")


def delivery_id() -> str:
    """Of one call of a webhook."""
    return new_id("d")


def rehearsal_id() -> str:
    """Of a rehearsal."""
    return new_id("e")


def scan_id() -> str:
    """Of a scan for orphans."""
    return new_id("o")


def session_id() -> str:
    """Of a sign-in."""
    return new_id("i")


def protected_change_id() -> str:
    """Of a change that waits for a second administrator."""
    return new_id("g")
