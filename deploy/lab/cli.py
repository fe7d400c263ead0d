"""`python -m deploy.lab`: parses the command line, calls the lab's API and prints the result."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable

from deploy.lab.api import Lab
from deploy.lab.errors import LabError
from deploy.lab.layout import SITES, VARIANTS, Settings, default_servers, parse_servers, parse_sizes
from deploy.lab.load.control import Order
from deploy.lab.load.route import Console, Switches
from deploy.lab.status import as_json, as_lines
from deploy.lab.verify import report
from deploy.lab.wan import arguments, presentation
from deploy.lab.wan.protocol import RouterError
from deploy.servers.errors import ServerError

Command = Callable[[Lab, argparse.Namespace], int]
Add = Callable[[str, Command, str], argparse.ArgumentParser]

_JSON = "print JSON"
_NODE = "node, for example db-a1"


def _print(lines: list[str]) -> int:
    print("\n".join(lines))
    return 0


def _json(data: object) -> int:
    print(json.dumps(data, indent=1, default=str))
    return 0


def _overrides(pairs: list[str]) -> dict[str, str]:
    bad = [pair for pair in pairs if "=" not in pair]
    if bad:
        raise LabError(f"--set takes option=value, not {bad[0]!r}")
    return dict(pair.split("=", 1) for pair in pairs)


def execute(lab: Lab, given: argparse.Namespace) -> int:
    done = subprocess.run([*lab.entry(given.node), given.program, *given.arguments], check=False)
    return done.returncode


def up(lab: Lab, given: argparse.Namespace) -> int:
    sizes = parse_sizes(given.nodes)
    overrides = _overrides(given.set)
    servers = parse_servers(given.server) if given.server else default_servers()
    apart_ms = arguments.parse_round_trip("--wan", given.wan) if given.wan else None
    settings = Settings(
        given.variant, lab.net, sizes, given.skip_slave_start, given.channel_tls, overrides, servers,
        wan=given.wan is not None, one_cluster=given.one_cluster, segments=given.segments,
    )  # fmt: skip
    done = lab.up(settings)
    if apart_ms is not None:
        lab.distance.set_round_trip(apart_ms)
        done.append(f"the sites are {apart_ms:g} ms apart, there and back")
    return _print(done)


def down(lab: Lab, given: argparse.Namespace) -> int:
    return _print(lab.down())


def status(lab: Lab, given: argparse.Namespace) -> int:
    found = lab.status()
    if given.json:
        _json(as_json(found))
    else:
        _print(as_lines(found))
    lab.require_network()
    return _print(_distance(lab, each_pair=False)) if lab.settings.wan and not given.json else 0


def _distance(lab: Lab, *, each_pair: bool) -> list[str]:
    try:
        return presentation.as_lines(lab.distance.plan, lab.distance.report(), each_pair=each_pair)
    except RouterError as error:
        return [str(error)]


def wan(lab: Lab, given: argparse.Namespace) -> int:
    rules = arguments.rules(given)
    if given.action == "down":
        return _print(lab.remove_wan())
    if rules and not lab.exists:
        _print(lab.up(Settings(wan=True)))
    distance = lab.distance
    if lab.start_wan():
        print("the router had ended and was started again", file=sys.stderr)
    if rules:
        distance.set(rules)
    if given.action == "clear":
        distance.clear()
    if given.action == "reset":
        distance.reset()
    return _json(distance.report()) if given.json else _print(_distance(lab, each_pair=given.pairs))


def describe(lab: Lab, given: argparse.Namespace) -> int:
    return _json(lab.describe())


def unlink(lab: Lab, given: argparse.Namespace) -> int:
    return _json(lab.unlink())


def one_node(action: str) -> Command:
    def command(lab: Lab, given: argparse.Namespace) -> int:
        getattr(lab, action)(given.node)
        return _print([f"{action} {given.node}: done"])

    return command


def start(lab: Lab, given: argparse.Namespace) -> int:
    if given.node in SITES:
        return _print(lab.start_site(given.node) or [f"all nodes of site {given.node} are up"])
    lab.start(given.node, bootstrap=given.bootstrap)
    return _print([f"{given.node} started and Synced"])


def upgrade(lab: Lab, given: argparse.Namespace) -> int:
    return _print(lab.upgrade(given.node, given.server))


def lose(lab: Lab, given: argparse.Namespace) -> int:
    return _print([lab.lose_site(given.site)])


def rebuild(lab: Lab, given: argparse.Namespace) -> int:
    position = lab.rebuild(given.site, given.source)
    lines = [f"site {given.site} is a copy of {position.donor}, read-only and without channels"]
    lines += [f"  backup position  {position.coordinate}", f"  or               {position.galera}"]
    return _print(lines)


def cut(lab: Lab, given: argparse.Namespace) -> int:
    lab.cut(given.target)
    return _print([f"cut {given.target}: done"])


def heal(lab: Lab, given: argparse.Namespace) -> int:
    return _print(["healed" if lab.heal() else "nothing was cut"])


def sql(lab: Lab, given: argparse.Namespace) -> int:
    return _json(lab.sql(given.node, given.statement))


def reset(lab: Lab, given: argparse.Namespace) -> int:
    lab.reset_fast()
    return _print(["the lab was rebuilt"])


def _sites(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def load_start(lab: Lab, given: argparse.Namespace) -> int:
    order = Order(given.writers, given.rate, given.seconds, given.ddl_every, given.ddl_shared, _sites(given.sites))
    pid = lab.load_start(order)
    speed = f"writers per site: {given.writers}, transactions/s each: {given.rate:g}, seconds: {given.seconds:g}"
    return _print([f"load started (pid {pid}); {speed}"])


def load_stop(lab: Lab, given: argparse.Namespace) -> int:
    return _print(["load stopped" if lab.load_stop() else "the load was not running"])


def load_follow(lab: Lab, given: argparse.Namespace) -> int:
    lab.load_follow(Console(given.console, given.link, given.token_file))
    return _print([f"the load reads the active side from {given.console}"])


def _chosen(word: str | None, now: bool) -> bool:
    return now if word is None else word == "on"


def load_switch(lab: Lab, given: argparse.Namespace) -> int:
    now = lab.load_switches()
    wanted = Switches(_chosen(given.both_sides, now.both_sides), _chosen(given.schema_changes, now.schema_changes))
    lab.load_switch(wanted)
    where = "both sides" if wanted.both_sides else "the active side"
    return _print([f"the load writes on {where}, {'with' if wanted.schema_changes else 'without'} schema changes"])


def load_status(lab: Lab, given: argparse.Namespace) -> int:
    counters = lab.load_status()
    if given.json:
        return _json(counters)
    head = "running" if counters["running"] else "not running"
    counts = f"acknowledged {counters['acknowledged']}, failed {counters['failed']}, open {counters['indeterminate']}"
    lines = [f"load {head}: {counts}, {counters['per_second']:.1f} a second"]
    for one in counters["writers"]:
        counts = f"{one['acknowledged']}/{one['failed']}/{one['indeterminate']}"
        lines.append(f"  {one['name']} on {one['node'] or '-'}: {counts} {one['last_error']}".rstrip())
    return _print(lines)


def verify(lab: Lab, given: argparse.Namespace) -> int:
    skip = tuple(given.skip.split(",")) if given.skip else ()
    verdict = lab.verify(seconds=given.settle, sites=_sites(given.sites), skip=skip)
    if given.json:
        _json(report.as_json(verdict))
    else:
        _print(report.as_lines(verdict))
    return 0 if verdict.clean else 1


def _add_load(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    standard = Order()
    verbs = commands.add_parser("load", help="Control a write load in the background").add_subparsers(required=True)
    sub = verbs.add_parser("start", help="start the load")
    sub.add_argument("--writers", type=int, default=standard.writers, help="number of writers per site")
    sub.add_argument("--rate", type=float, default=standard.rate, help="transactions per second and writer")
    sub.add_argument("--seconds", type=float, default=standard.seconds, help="stop automatically after this time")
    sub.add_argument("--ddl-every", type=float, default=standard.ddl_every, help="seconds between DDL; 0 for none")
    sub.add_argument("--ddl-shared", action="store_true", help="also change a table of all writers (may stop channels)")
    sub.add_argument("--sites", default=",".join(standard.sites), help="sites to write on, separated by commas")
    sub.set_defaults(command=load_start)
    verbs.add_parser("stop", help="stop the load").set_defaults(command=load_stop)
    sub = verbs.add_parser("follow", help="read the active side from a console")
    sub.add_argument("--console", required=True, metavar="URL", help="address of the console")
    sub.add_argument("--link", required=True, metavar="ID", help="id of the link")
    sub.add_argument("--token-file", required=True, metavar="FILE", help="file with an API token that may read")
    sub.set_defaults(command=load_follow)
    sub = verbs.add_parser("switch", help="change what the load writes, now and after its next start")
    sub.add_argument("--both-sides", choices=["on", "off"], help="write on both sides")
    sub.add_argument("--schema-changes", choices=["on", "off"], help="run DDL")
    sub.set_defaults(command=load_switch)
    sub = verbs.add_parser("status", help="print the counters of the load")
    sub.add_argument("--json", action="store_true", help=_JSON)
    sub.set_defaults(command=load_status)


def _parser() -> argparse.ArgumentParser:
    description = "Two Galera clusters with a channel in each direction, on this machine."
    parser = argparse.ArgumentParser(prog="python -m deploy.lab", description=description)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Command, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=command)
        return sub

    _add_lab(add)
    _add_faults(add)
    _add_checks(add)
    _add_load(commands)
    return parser


def _add_lab(add: Add) -> None:
    sub = add("up", up, "Build the lab, or complete one that was interrupted")
    sub.add_argument("--variant", choices=VARIANTS, default="classic", help="replication variant of both clusters")
    sub.add_argument("--nodes", default="3+3", metavar="N+M", help="number of nodes of each site")
    sub.add_argument("--server", metavar="NAME|a=NAME,b=NAME", help="release that the nodes run")
    sub.add_argument("--skip-slave-start", action="store_true", help="do not start channels with the server")
    sub.add_argument("--channel-tls", action="store_true", help="use and verify TLS on the channels")
    text = "sites apart, with an address of its own for each node; TIME is the round trip. See `wan`"
    sub.add_argument("--wan", nargs="?", const="", metavar="TIME", help=text)
    sub.add_argument("--one-cluster", action="store_true", help="one cluster over both sites, without channels")
    sub.add_argument("--segments", action="store_true", help="with it: a gmcast.segment for each site")
    sub.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="server option for all nodes")
    add("down", down, "Stop the lab and remove all its data")
    text = "Remove channels, the console's accounts and its schema; print how an administrator logs in"
    add("unlink", unlink, text)
    add("reset", reset, "Build the lab again with the same settings")
    add("status", status, "List nodes and channels").add_argument("--json", action="store_true", help=_JSON)
    described = add("describe", describe, "Print the bodies of the console's registration calls")
    described.add_argument("--json", action="store_true", help="no effect; the output is always JSON")


def _add_faults(add: Add) -> None:
    for action, text in (
        ("kill", "Kill a node (SIGKILL)"),
        ("freeze", "Freeze a node (SIGSTOP)"),
        ("thaw", "Thaw a frozen node (SIGCONT)"),
        ("stop", "Shut a node down cleanly"),
    ):
        add(action, one_node(action), text).add_argument("node", help=_NODE)
    sub = add("start", start, "Start a node that is down, or all such nodes of a site")
    sub.add_argument("node", metavar="NODE|SITE", help="node, for example db-a1, or site, for example a")
    sub.add_argument("--bootstrap", action="store_true", help="start it as the first node of its cluster")
    sub = add("upgrade", upgrade, "Start a node on another release, and upgrade its system tables")
    sub.add_argument("node", help=_NODE)
    sub.add_argument("server", metavar="NAME", help="release, for example mariadb-11.8")
    sub = add("lose", lose, "Kill a whole site so that some of its last writes stay unreplicated")
    sub.add_argument("site", choices=SITES, help="site to kill")
    sub = add("rebuild", rebuild, "Replace a site by a copy of a node of the other site (mariadb-backup)")
    sub.add_argument("site", choices=SITES, help="site to replace")
    sub.add_argument("--from", dest="source", required=True, metavar="NODE", help="node to copy from")
    cutter = add("cut", cut, "Drop all packets between the sites, or between a node and all others (needs root)")
    cutter.add_argument("target", metavar="a-b|NODE", help="a-b for the sites, or the node to isolate")
    add("heal", heal, "Revert every cut")
    text = "Show or change the distance: delay, jitter, loss, reordering and rate between sites or of one node"
    arguments.add_options(add("wan", wan, text))


def _add_checks(add: Add) -> None:
    sub = add("exec", execute, "Run a program where a node stands: in its network namespace, if the lab has distance")
    sub.add_argument("node", help=_NODE)
    sub.add_argument("program", help="program to run")
    sub.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    sub = add("sql", sql, "Run one statement as administrator")
    sub.add_argument("node", help=_NODE)
    sub.add_argument("statement", help="SQL statement")
    sub = add("verify", verify, "Check every acknowledged write on every node; exit code 1 if one is wrong")
    sub.add_argument("--settle", type=float, default=60.0, metavar="SECONDS", help="longest wait for convergence")
    sub.add_argument("--sites", default=",".join(SITES), help="check only the nodes of these sites")
    sub.add_argument("--skip", default="", metavar="NODE,...", help="running nodes to leave out")
    sub.add_argument("--json", action="store_true", help=_JSON)


def main(arguments: list[str] | None = None) -> int:
    """Exit codes: 0 done, 1 a write is wrong, 2 refused or wrong arguments."""
    given = _parser().parse_args(arguments)
    try:
        command: Command = given.command
        return command(Lab(), given)
    except (LabError, ServerError) as error:
        print(f"lab: {error}", file=sys.stderr)
        return 2
