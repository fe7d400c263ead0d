"""The stack under fault: lab, console on a real MariaDB, Redis, and the chaos proxy before every one of them.

`python -m tests.faults.parts.host HOME PORT VARIANT`: as `deploy.demo`, but nodes are registered by the proxy's
addresses and the channels run through it. What ends is started again, unless a file `hold-NAME` lies in the home.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from deploy.demo import console, secrets
from deploy.demo.api import Api
from deploy.demo.options import Options
from deploy.demo.register import register
from deploy.lab.api import Lab
from deploy.lab.layout import SITES, Node, Settings, nodes_of
from deploy.lab.server import tls
from deploy.lab.wan.addresses import proxy_of
from deploy.lab.wan.arguments import parse_round_trip
from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_port
from deploy.services.process import PYTHON, Child, ServiceError, run, wait_until
from deploy.services.redis import start_redis

READY_LIMIT_S = 90.0
DISK = "600m"
STATEMENT_LOG = "statements.log"
LOGGED = {"general_log": "ON", "log_output": "FILE", "general_log_file": STATEMENT_LOG}
"""Every server keeps what it was sent, from its first moment on and over restarts."""
PROXIED = {"1": "11", "2": "12"}
"""Third byte of a node's address -> that of the proxy's address before it; the port stays."""
WAN = os.environ.get("HAWSER_FAULT_WAN", "")
"""Round trip between the sites, for example 50ms; without it they stand beside each other."""


class Stop(BaseException):
    """Raised by a signal."""


def _on_signal(number: int, frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise Stop


def proxied(host: str) -> str:
    """The proxy's address before a node's."""
    if WAN:
        return proxy_of(host)
    one, two, site, node = host.split(".")
    return f"{one}.{two}.{PROXIED[site]}.{node}"


def through(url: str, port: int) -> str:
    """The same server by another port of this machine."""
    parts = urlsplit(url)
    account = parts.netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{account}@127.0.0.1:{port}"))


def start_proxy(home: Path, nodes: list[Node], redis: int, database: int) -> tuple[Child, dict[str, int]]:
    """The proxy before all of them; its control, Redis and database ports."""
    ports = {name: free_port() for name in ("control", "redis", "database")}
    routes = [[n.name, proxied(n.host), n.port, n.host, n.port, True] for n in nodes]
    routes.append(["redis", "127.0.0.1", ports["redis"], "127.0.0.1", redis, False])
    routes.append(["database", "127.0.0.1", ports["database"], "127.0.0.1", database, False])
    config = home / "proxy.json"
    config.write_text(json.dumps({"control": ports["control"], "routes": routes}))
    child = Child("proxy", [PYTHON, "-m", "tests.faults.parts.proxy", str(config)], home / "logs" / "proxy.log").start()
    return child, ports


def certify(lab: Lab, settings: Settings) -> None:
    """Certificates that hold for the proxy's addresses too: TLS ends at the servers, the proxy only carries it."""
    folder = lab.paths.tls
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    tls.create_ca(folder)
    for node in nodes_of(replace(settings, net=lab.net)):
        tls.create_node(folder, node, also=(proxied(node.host),))


def lead_channels_through(lab: Lab) -> None:
    """Both channels reconnect through the proxy, where they stopped."""
    for site in SITES:
        replica = next(node for node in lab.nodes if node.site == site)
        source = next(node for node in lab.nodes if node.site != site)
        lab.sql(replica.name, "STOP SLAVE")
        at = lab.sql(replica.name, "SHOW SLAVE STATUS")[0]
        where = (
            f", MASTER_LOG_FILE='{at['Relay_Master_Log_File']}', MASTER_LOG_POS={at['Exec_Master_Log_Pos']}"
            if at["Using_Gtid"] == "No"
            else ""
        )
        lab.sql(replica.name, f"CHANGE MASTER TO MASTER_HOST='{proxied(source.host)}'{where}")
        lab.sql(replica.name, "START SLAVE")


def described(lab: Lab) -> dict[str, Any]:
    """The lab's registration bodies with the proxy's addresses."""
    whole = lab.describe()
    for cluster in whole["clusters"]:
        for node in cluster["registration"]["nodes"]:
            node["host"] = proxied(node["host"])
    return whole


def small_disk(folder: Path, stack: ExitStack, size: str) -> None:
    """A file system of its own, small enough to be filled. Needs root."""
    folder.mkdir(parents=True)
    run(["mount", "-t", "tmpfs", "-o", f"size={size}", "hawser-faults", str(folder)])
    stack.callback(run, ["umount", "--lazy", str(folder)])


def supervise(home: Path, children: list[Child]) -> None:
    """Start again what ended, for ever, unless it is held; with what `env-NAME.json` in the home sets besides."""
    usual = {child.name: child.env for child in children}
    while True:
        for child in children:
            if not child.running and not (home / f"hold-{child.name}").exists():
                child.stop()
                besides = home / f"env-{child.name}.json"
                child.env = {**usual[child.name], **(json.loads(besides.read_text()) if besides.exists() else {})}
                child.start()
        part = home / "pids.part"
        part.write_text(json.dumps({c.name: c.process.pid for c in children if c.process}))
        part.replace(home / "pids.json")
        time.sleep(0.1)


def host(options: Options, stack: ExitStack) -> None:
    """Everything up, `ready.json` written, then supervised until a signal."""
    home = options.home
    options.temporary.mkdir(parents=True, exist_ok=True)
    lab = Lab(options.lab_home, os.environ["HAWSER_LAB_NET"])
    lab.down()
    stack.callback(lab.down)
    settings = Settings(variant=options.variant, overrides=LOGGED, wan=bool(WAN))
    certify(lab, settings)
    lab.up(settings)
    if WAN:
        lab.distance.set_round_trip(parse_round_trip("HAWSER_FAULT_WAN", WAN))
    lead_channels_through(lab)
    redis = start_redis(home / "redis", options.logs / "redis.log")
    stack.callback(redis.child.stop)
    small_disk(home / "mariadb", stack, DISK)
    database = start_mariadb(home / "mariadb", options.logs / "mariadb.log", durable=True)
    stack.callback(database.child.stop)
    proxy, ports = start_proxy(home, lab.nodes, redis.port, database.port)
    stack.callback(proxy.stop)
    env = console.settings(options, through(redis.url, ports["redis"]))
    env |= {"HAWSER_DATABASE_URL": through(database.url, ports["database"]), "HAWSER_POLL_INTERVAL_S": "1"}
    env["HAWSER_CALLS_PER_MINUTE"] = "60000"  # a bench reads 100 times a second as one user
    password = secrets.password(options.secrets)
    token = console.prepare(env, password)
    children = console.processes(options, env)
    for child in children:
        child.start()
        stack.callback(child.stop)
    api = Api(options.port, token)
    if not wait_until(api.ready, READY_LIMIT_S, children[0]):
        raise ServiceError("the console is not ready: " + "\n".join(child.tail() for child in children))
    facts = {
        "url": options.url,
        "token": token,
        "password": password,
        "users": secrets.USERS,
        "link_id": register(api, described(lab)),
        "control": ports["control"],
        "database_url": database.url,
        "redis_url": redis.url,
        "pids": {child.name: child.process.pid for child in children if child.process},
    }
    part = home / "ready.part"
    part.write_text(json.dumps(facts))
    part.replace(home / "ready.json")
    supervise(home, [redis.child, database.child, *children])


def main() -> int:
    """Exit code 0 when it was stopped."""
    home, port, variant = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _on_signal)
    lab_home = Path(os.environ["HAWSER_LAB_HOME"])
    options = Options(
        home, "127.0.0.1", port, lab_home, variant, keep_lab=False, load=False, bare=False, seconds=0, ready_file=None
    )
    with ExitStack() as stack:
        try:
            host(options, stack)
        except Stop:
            return 0
    return 0


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
