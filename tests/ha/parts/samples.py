"""The samples of deploy/proxy with the addresses of this machine in place of those of an installation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.services.process import ROOT
from tests.deploy.proxy import certificate, replaced, two_hosts_sample, web_secrets

FOLDER = ROOT / "deploy/proxy"
Address = tuple[str, int]


def nginx(home: Path, port: int, webs: Sequence[int]) -> Path:
    """hawser-two-hosts.conf inside the file that a host's nginx includes it from."""
    folder = home / "nginx"
    folder.mkdir()
    certificate(folder)
    web_secrets(folder)
    # The webs are those of the demo, on loopback and without TLS; tests/deploy tries that part of the sample.
    return two_hosts_sample(folder, port, *webs, clear=True)


def haproxy(home: Path, ports: Mapping[str, int], databases: Sequence[Address], redises: Sequence[int]) -> Path:
    """haproxy.cfg for these servers; `ports` are those of `database` and `redis`."""
    changes = {"bind 127.0.0.1:3307": f"bind 127.0.0.1:{ports['database']}"}
    changes |= {"bind 127.0.0.1:6380": f"bind 127.0.0.1:{ports['redis']}"}
    changes |= {f"10.0.0.2{n}:3306": f"{host}:{port}" for n, (host, port) in enumerate(databases, 1)}
    changes |= {f"10.0.0.3{n}:6379": f"127.0.0.1:{port}" for n, port in enumerate(redises, 1)}
    config = home / f"haproxy-{ports['database']}.cfg"
    config.write_text(replaced((FOLDER / "haproxy.cfg").read_text(), changes))
    return config


def sentinel(home: Path, number: int, port: int, master: int, password: str) -> Path:
    """sentinel.conf of one of three, with a file and a folder of its own, for it writes there."""
    folder = home / f"sentinel-{number}"
    folder.mkdir()
    changes = {
        "port 26379": f"port {port}\nbind 127.0.0.1\ndir {folder}",
        "10.0.0.31 6379": f"127.0.0.1 {master}",
        "hawser PASSWORD": f"hawser {password}",
    }
    config = folder / "sentinel.conf"
    config.write_text(replaced((FOLDER / "sentinel.conf").read_text(), changes))
    return config
