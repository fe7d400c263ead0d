"""Identifiers: a letter that names the kind and twelve base32 characters (60 random bits)."""

from __future__ import annotations

import secrets

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
# One function per kind, because migrations refer to a default by its name.


def new_id(prefix: str) -> str:
    """A new id such as `r_k3vq7m2xw5ta`."""
    return f"{prefix}_" + "".join(secrets.choice(_ALPHABET) for _ in range(12))


def cluster_id() -> str:
    """Id of a cluster."""
    return new_id("c")


def node_id() -> str:
    """Id of a node."""
    return new_id("n")


def link_id() -> str:
    """Id of a link."""
    return new_id("l")


def plan_id() -> str:
    """Id of a plan."""
    return new_id("p")


def run_id() -> str:
    """Id of a run."""
    return new_id("r")


def token_id() -> str:
    """Id of a token."""
    return new_id("t")


def credential_id() -> str:
    """Id of a sealed credential."""
    return new_id("s")


def lab_check_id() -> str:
    """Id of a verification of the lab."""
    return new_id("v")


def hook_id() -> str:
    """Id of a webhook."""
    return new_id("h")


def delivery_id() -> str:
    """Id of a delivery of a webhook."""
    return new_id("d")


def rehearsal_id() -> str:
    """Id of a rehearsal."""
    return new_id("e")


def incident_id() -> str:
    """Id of an incident."""
    return new_id("x")


def scan_id() -> str:
    """Id of a scan for orphaned transactions."""
    return new_id("o")


def session_id() -> str:
    """Id of a sign-in."""
    return new_id("i")


def protected_change_id() -> str:
    """Id of a protected change."""
    return new_id("g")


def push_subscription_id() -> str:
    """Id of a browser that subscribed to Web Push."""
    return new_id("w")


def server_acceptance_id() -> str:
    """Id of an acceptance of servers that were never tried."""
    return new_id("y")


def registration_draft_id() -> str:
    """Id of a guided registration."""
    return new_id("f")


def dismissal_id() -> str:
    """Id of a dismissal of advice."""
    return new_id("a")


def measurement_id() -> str:
    """Id of a measurement of the network."""
    return new_id("m")


def probe_token_id() -> str:
    """Id of a token for one measurement of the network."""
    return new_id("k")


def calibration_id() -> str:
    """Id of a calibration."""
    return new_id("z")


def team_id() -> str:
    """Id of a team."""
    return new_id("q")


def role_assignment_id() -> str:
    """Id of a role that was assigned for a scope."""
    return new_id("u")


def maintenance_id() -> str:
    """Id of a node's maintenance."""
    return new_id("b")


def change_window_id() -> str:
    """Id of a change window."""
    return new_id("q")


def change_freeze_id() -> str:
    """Id of a change freeze."""
    return new_id("u")


def passkey_id() -> str:
    """Id of a passkey."""
    return new_id("j")


def table_comparison_id() -> str:
    """Id of a comparison of tables."""
    return new_id("j")
