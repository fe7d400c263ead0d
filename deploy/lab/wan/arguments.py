"""The command line's words for distance: options in, rules out."""

from __future__ import annotations

import argparse

from deploy.lab.errors import LabError
from deploy.lab.wan.plan import EVERY, Rule
from deploy.lab.wan.shape import Shape, parse_megabits, parse_milliseconds, parse_percent

ACTIONS = ("show", "clear", "reset", "down")
_VALUES = ("delay", "rtt", "jitter", "loss", "reorder", "rate", "queue")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `wan`."""
    text = "clear: no distance; reset: count afresh; down: remove what a crashed lab left; show is the default"
    parser.add_argument("action", nargs="?", choices=ACTIONS, help=text)
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--delay", metavar="TIME", help="delay of each direction, for example 25ms")
    much.add_argument("--rtt", metavar="TIME", help="round trip, for example 50ms: half of it each way")
    parser.add_argument("--jitter", metavar="TIME", help="the delay varies by as much, up and down; order is kept")
    parser.add_argument("--loss", metavar="PERCENT", help="share of packets lost in each direction, for example 1%%")
    parser.add_argument("--reorder", metavar="PERCENT", help="share of packets that overtake: sent without the delay")
    parser.add_argument("--rate", metavar="BITS", help="bits per second in each direction, for example 100mbit")
    parser.add_argument("--queue", metavar="TIME", help="longest wait for the rate, beyond which packets are dropped")
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument("--between", nargs=2, metavar="END", help="sites, nodes, clients-a or console; default: a b")
    ends.add_argument("--from-to", nargs=2, metavar="END", help="the same in one direction only")
    ends.add_argument("--node", metavar="NODE", help="between this node and everyone else")
    parser.add_argument("--pairs", action="store_true", help="show each pair of ends, not only the sites")
    parser.add_argument("--json", action="store_true", help="print JSON")


def parse_round_trip(option: str, text: str) -> float:
    """Milliseconds, checked as a shape of half of it."""
    milliseconds = parse_milliseconds(option, text)
    Shape(delay_ms=milliseconds / 2)
    return milliseconds


def rules(given: argparse.Namespace) -> list[Rule]:
    """The rules that the options ask for; empty if they name no shape."""
    if all(getattr(given, name) is None for name in _VALUES):
        if given.between or given.from_to or given.node:
            raise LabError("wan needs a shape for these ends, for example --delay 25ms; --delay 0ms for none")
        return []
    if given.action:
        raise LabError(f"wan {given.action} takes no shape")
    shape = _shape(given)
    return [Rule(source, target, shape) for source, target in _directions(given)]


def _shape(given: argparse.Namespace) -> Shape:
    if given.rtt and given.from_to:
        raise LabError("--rtt is the way there and back; with --from-to use --delay")
    delay = parse_milliseconds("--delay", given.delay) if given.delay else 0.0
    return Shape(
        delay_ms=parse_round_trip("--rtt", given.rtt) / 2 if given.rtt else delay,
        jitter_ms=parse_milliseconds("--jitter", given.jitter) if given.jitter else 0.0,
        loss_percent=parse_percent("--loss", given.loss) if given.loss else 0.0,
        reorder_percent=parse_percent("--reorder", given.reorder) if given.reorder else 0.0,
        rate_mbit=parse_megabits("--rate", given.rate) if given.rate else 0.0,
        queue_ms=parse_milliseconds("--queue", given.queue) if given.queue else Shape.queue_ms,
    )


def _directions(given: argparse.Namespace) -> list[tuple[str, str]]:
    if given.from_to:
        source, target = given.from_to
        return [(source, target)]
    one, other = (given.node, EVERY) if given.node else (given.between or ("a", "b"))
    return [(one, other), (other, one)]
