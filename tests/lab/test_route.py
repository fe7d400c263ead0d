"""Where the load writes: on both sites, or on the one that a console names active."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.lab.layout import Node, Paths
from deploy.lab.load.route import Console, Route, Switches, follow, set_switches
from deploy.lab.load.writer import Writer
from deploy.lab.server.accounts import Account
from tests.support.waiting import wait_for


class Answers:
    """A console of one link; `status` and `active` are what it says next."""

    def __init__(self) -> None:
        self.status, self.active, self.asked = 200, "milan", ""
        answers = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answers.asked = f"{self.path} {self.headers['Authorization']}"
                body = json.dumps({"active_cluster": {"id": "c_1", "name": answers.active}}).encode()
                self.send_response(answers.status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def console() -> Iterator[Answers]:
    answers = Answers()
    thread = threading.Thread(target=answers.server.serve_forever)
    thread.start()
    yield answers
    answers.server.shutdown()
    thread.join()
    answers.server.server_close()


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    (tmp_path / "run").mkdir()
    (tmp_path / "token").write_text("hwt_x\n")
    return Paths(tmp_path)


@pytest.fixture
def following(paths: Paths, console: Answers) -> Route:
    """A route that follows the console and asked it once."""
    follow(paths, Console(console.url, "l_1", str(paths.home / "token")))
    set_switches(paths, Switches(both_sides=False, schema_changes=False))
    route = Route(paths)
    route.poll()
    return route


def _written(route: Route) -> str:
    return "".join(site for site in "ab" if route.may_write(site))


def test_route__nobody_chose__both_sides_and_schema_changes(paths: Paths) -> None:
    route = Route(paths)
    assert (_written(route), route.may_change_schema("b"), route.active) == ("ab", True, None)


def test_route__failover_at_the_console__writes_move_to_the_new_active_side(following: Route, console: Answers) -> None:
    assert console.asked == "/api/v1/links/l_1 Bearer hwt_x"
    assert (_written(following), following.active) == ("a", "a")
    console.active = "frankfurt"
    following.poll()
    assert (_written(following), following.may_change_schema("b")) == ("b", False)


def test_route__console_answers_with_an_error__its_last_answer_stands(following: Route, console: Answers) -> None:
    console.status, console.active = 503, "frankfurt"
    following.poll()
    assert _written(following) == "a"


def test_route__side_that_is_not_of_the_lab__nobody_writes(following: Route, console: Answers) -> None:
    console.active = "rome"
    following.poll()
    assert _written(following) == ""


def test_route__console_never_answered__nobody_writes(paths: Paths) -> None:
    follow(paths, Console("http://127.0.0.1:9", "l_1", str(paths.home / "token")))
    set_switches(paths, Switches(both_sides=False))
    route = Route(paths)
    route.poll()
    assert _written(route) == ""


def test_writer__not_its_sites_turn__writes_nothing_until_it_is(tmp_path: Path) -> None:
    """Without this the application would write on a side that the console no longer names active."""
    turn, stop = threading.Event(), threading.Event()
    node = Node("db-a1", "a", 1, "127.0.0.1", 11, 1, port=9)  # no server listens: a write that is tried fails
    writer = Writer("a1-x", [node], Account("app", "x"), tmp_path, 100.0, turn.is_set)
    thread = threading.Thread(target=writer.run, args=(stop,))
    thread.start()
    stop.wait(0.4)
    assert (writer.counters.failed, writer.counters.node) == (0, "")
    turn.set()
    try:
        wait_for(lambda: writer.counters.failed, "a write to be tried")
    finally:
        stop.set()
        thread.join()
