"""The strictest TLS mode that works on every server, and what it protects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backend.core.discovery.servers import DiscoveredServer

MODES = ("verify_identity", "verify_ca", "required", "disabled")
"""From the strictest to the weakest."""
PROTECTS = {
    "verify_identity": (
        "Every connection is encrypted, and a server must show a certificate of your authority that bears its host "
        "name. No other server can answer in its place."
    ),
    "verify_ca": (
        "Every connection is encrypted, and a server must show a certificate of your authority. Another server with a "
        "certificate of the same authority could answer in its place."
    ),
    "required": (
        "Every connection is encrypted, and it is not checked who answers. An attacker who can redirect "
        "connections could answer in a server's place."
    ),
    "disabled": (
        "Nothing is encrypted. An attacker on the network can read what Hawser reads, and could take over a session."
    ),
}


@dataclass(frozen=True, slots=True)
class TlsChoice:
    """The proposed mode (None: none works, or unknown), why, what it protects, and how to reach a stricter one."""

    mode: str | None
    sentence: str
    protects: str
    remedy: str


def tls_choice(servers: Sequence[DiscoveredServer]) -> TlsChoice:
    """From the trials of every server that was reached; a server that was not reached says nothing."""
    tried = [one for one in servers if any(trial.works for trial in one.tls)]
    if not tried:
        sentence = "No TLS mode is known to work: no server was logged in to."
        return TlsChoice(None, sentence, "", "Correct the address and the account, then discover again.")
    mode = next((mode for mode in MODES if all(_works(one, mode) for one in tried)), None)
    if mode is None:
        sentence = "No mode works on all servers."
        return TlsChoice(None, sentence, "", "Set the servers up for TLS in the same way, then discover again.")
    unreached = [one.shown for one in servers if one not in tried]
    sentence = f"{mode} works on {', '.join(one.shown for one in tried)}."
    if unreached:
        sentence += f" Unknown on {', '.join(unreached)}."
    return TlsChoice(mode, sentence, PROTECTS[mode], _remedy(mode, tried))


def _works(server: DiscoveredServer, mode: str) -> bool:
    return any(trial.mode == mode and trial.works for trial in server.tls)


def _remedy(mode: str, servers: Sequence[DiscoveredServer]) -> str:
    """What keeps the next stricter mode from being chosen; empty for the strictest."""
    if mode == MODES[0]:
        return ""
    stricter = MODES[MODES.index(mode) - 1]
    reasons = [
        f"{one.shown}: {trial.reason.rstrip('.')}."
        for one in servers
        for trial in one.tls
        if trial.mode == stricter and not trial.works
    ]
    untried = any(trial.mode == stricter and trial.works is None for one in servers for trial in one.tls)
    files = {path for one in servers if (path := one.variables.get("ssl_ca"))}
    where = f" The servers read theirs from {', '.join(sorted(files))}." if files else ""
    if untried and stricter != "required":
        return f"For {stricter} give the certificate of the authority that signed the servers' certificates.{where}"
    return f"{stricter} does not work. {' '.join(reasons)}".strip()
