"""What an engine changes in the network of its machine, and taking it back: it leaves all of it when it stops."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")
_FILTERS = ("iptables", "ip6tables")
_POLICY = re.compile(r"^:FORWARD (ACCEPT|DROP)", re.MULTILINE)


def _output(*command: str, text: str | None = None) -> str:
    done = subprocess.run(list(command), input=text, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout if done.returncode == 0 else ""


def bridges() -> set[str]:
    """Names of the bridges of this machine."""
    links = json.loads(_output("ip", "-json", "link", "show", "type", "bridge") or "[]")
    return {str(link["ifname"]) for link in links}


def without_engine(rules: str, before: str, gone: set[str]) -> str:
    """Filter rules without the engine's own; what others added meanwhile stays. The policy is that of before."""
    names = {"DOCKER", *gone}
    remaining = [line for line in rules.splitlines() if not any(name in line for name in names)]
    policy = _POLICY.search(before)
    text = "\n".join([*remaining, ""])
    return _POLICY.sub(f":FORWARD {policy[1] if policy else 'ACCEPT'}", text)


@contextmanager
def restored() -> Iterator[None]:
    """After the block the engine's bridges and filter rules are removed, and forwarding is as it was before it."""
    before = {name: _output(f"{name}-save") for name in _FILTERS}
    forwarding, present = _FORWARDING.read_text(), bridges()
    try:
        yield
    finally:
        gone = {name for name in bridges() - present if re.fullmatch(r"docker0|br-[0-9a-f]{12}", name)}
        for bridge in gone:
            _output("ip", "link", "delete", bridge)
        for name, rules in before.items():
            _output(f"{name}-restore", text=without_engine(_output(f"{name}-save"), rules, gone))
        _FORWARDING.write_text(forwarding)
