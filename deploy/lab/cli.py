"""The command line: parses, calls the API, prints."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from deploy.lab.api import Lab
from deploy.lab.errors import LabError
from deploy.lab.layout import SITES, VARIANTS, Settings, parse_sizes
from deploy.lab.load.control import Order
from deploy.lab.load.route import Console, Switches
from deploy.lab.status import as_json, as_lines
from deploy.lab.verify import report

Command = Callable[[Lab, argparse.Namespace], int]


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


def up(lab: Lab, given: argparse.Namespace) -> int:
    sizes = parse_sizes(given.nodes)
    overrides = _overrides(given.set)
    settings = Settings(given.variant, lab.net, sizes, given.skip_slave_start, given.channel_tls, overrides)
    return _print(lab.up(settings))


def down(lab: Lab, given: argparse.Namespace) -> int:
    return _print(lab.down())


def status(lab: Lab, given: argparse.Namespace) -> int:
    found = lab.status()
    return _json(as_json(found)) if given.json else _print(as_lines(found))


def describe(lab: Lab, given: argparse.Namespace) -> int:
    return _json(lab.describe())


def one_node(action: str) -> Command:
    def command(lab: Lab, given: argparse.Namespace) -> int:
        getattr(lab, action)(given.node)
        return _print([f"{action} {given.node}: done"])

    return command


def start(lab: Lab, given: argparse.Namespace) -> int:
    if given.node in SITES:
        return _print(lab.start_site(given.node) or [f"all nodes of site {given.node} run"])
    lab.start(given.node, bootstrap=given.bootstrap)
    return _print([f"{given.node} started and Synced"])


def lose(lab: Lab, given: argparse.Namespace) -> int:
    return _print([lab.lose_site(given.site)])


def rebuild(lab: Lab, given: argparse.Namespace) -> int:
    position = lab.rebuild(given.site, given.source)
    lines = [f"site {given.site} is a copy of {position.donor}, closed to writes and without channels"]
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
    return _print(["fresh"])


def _sites(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def load_start(lab: Lab, given: argparse.Namespace) -> int:
    order = Order(given.writers, given.rate, given.seconds, given.ddl_every, given.ddl_shared, _sites(given.sites))
    pid = lab.load_start(order)
    speed = f"{given.writers} writers a site, {given.rate:g} transactions a second each"
    return _print([f"load runs (pid {pid}): {speed}, for at most {given.seconds:g} s"])


def load_stop(lab: Lab, given: argparse.Namespace) -> int:
    return _print(["load stopped" if lab.load_stop() else "no load was running"])


def load_follow(lab: Lab, given: argparse.Namespace) -> int:
    lab.load_follow(Console(given.console, given.link, given.token_file))
    return _print([f"the load asks {given.console} which side is active"])


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
    verbs = commands.add_parser("load", help="a background write load").add_subparsers(required=True)
    sub = verbs.add_parser("start")
    sub.add_argument("--writers", type=int, default=standard.writers, help="per site")
    sub.add_argument("--rate", type=float, default=standard.rate, help="transactions a second and writer")
    sub.add_argument("--seconds", type=float, default=standard.seconds, help="ends by itself after that")
    sub.add_argument("--ddl-every", type=float, default=standard.ddl_every, help="seconds; 0 for none")
    sub.add_argument("--ddl-shared", action="store_true", help="also on a table everybody writes (may stop channels)")
    sub.add_argument("--sites", default=",".join(standard.sites))
    sub.set_defaults(command=load_start)
    verbs.add_parser("stop").set_defaults(command=load_stop)
    sub = verbs.add_parser("follow", help="name the console that tells which side is active")
    sub.add_argument("--console", required=True, metavar="URL")
    sub.add_argument("--link", required=True, metavar="ID")
    sub.add_argument("--token-file", required=True, metavar="FILE")
    sub.set_defaults(command=load_follow)
    sub = verbs.add_parser("switch", help="what a running and any later load does")
    sub.add_argument("--both-sides", choices=["on", "off"])
    sub.add_argument("--schema-changes", choices=["on", "off"])
    sub.set_defaults(command=load_switch)
    sub = verbs.add_parser("status")
    sub.add_argument("--json", action="store_true")
    sub.set_defaults(command=load_status)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m deploy.lab", description="Two real Galera clusters, linked.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Command, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(command=command)
        return sub

    sub = add("up", up, "build or complete the lab")
    sub.add_argument("--variant", choices=VARIANTS, default="classic")
    sub.add_argument("--nodes", default="3+3", metavar="N+M")
    sub.add_argument("--skip-slave-start", action="store_true", help="channels do not start with the server")
    sub.add_argument("--channel-tls", action="store_true", help="channels verify and use TLS")
    sub.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="server option of all nodes")
    add("down", down, "end everything and remove all data")
    add("status", status, "nodes and channels").add_argument("--json", action="store_true")
    add("describe", describe, "bodies for the console's registration calls").add_argument("--json", action="store_true")
    for action, text in (
        ("kill", "SIGKILL"),
        ("freeze", "SIGSTOP"),
        ("thaw", "SIGCONT"),
        ("stop", "clean shutdown"),
    ):
        add(action, one_node(action), text).add_argument("node")
    sub = add("start", start, "start a dead node, or all dead nodes of a site")
    sub.add_argument("node", metavar="NODE|SITE")
    sub.add_argument("--bootstrap", action="store_true", help="as the first node of its cluster")
    sub = add("lose", lose, "kill a whole site so that some of its last writes stay unreplicated")
    sub.add_argument("site", choices=SITES)
    sub = add("rebuild", rebuild, "replace a site by a copy of a living node of the other one (mariadb-backup)")
    sub.add_argument("site", choices=SITES)
    sub.add_argument("--from", dest="source", required=True, metavar="NODE")
    text = "drop all packets between the sites, or between a node and all others (needs root)"
    add("cut", cut, text).add_argument("target", metavar="a-b|NODE")
    add("heal", heal, "undo every cut")
    sub = add("sql", sql, "run one statement as administrator")
    sub.add_argument("node")
    sub.add_argument("statement")
    sub = add("verify", verify, "judge every write on every live node; exit code 1 if not clean")
    sub.add_argument("--settle", type=float, default=60.0, metavar="SECONDS")
    sub.add_argument("--sites", default=",".join(SITES), help="judge only the nodes of these sites")
    sub.add_argument("--skip", default="", metavar="NODE,...", help="leave these running nodes out")
    sub.add_argument("--json", action="store_true")
    _add_load(commands)
    add("reset", reset, "a fresh lab with the same settings")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Exit codes: 0 done, 1 judged unclean, 2 refused or wrongly called."""
    given = _parser().parse_args(arguments)
    try:
        command: Command = given.command
        return command(Lab(), given)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return 2
