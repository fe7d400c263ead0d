"""`hawser_adviser`: every page as its REST call answers it, as JSON and as text."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.adviser.answers import QUESTIONS
from backend.adviser.concurrency import cluster_figures as cluster_concurrency
from backend.adviser.outline import outline
from backend.clusters.models import Link
from tests.api.advice import store
from tests.core.advice.configurations import cluster as configuration
from tests.core.advice.configurations import with_options
from tests.support.console import Caller

TIMES = {"at", "read_at", "age_s", "to", "from"}
ADDRESSES = {
    "network": "/links/{link}/network?max_commit_ms=30",
    "concurrency": "/concurrency?delays_ms=0,25;25,0",
    "cluster-concurrency": "/clusters/{cluster}/concurrency",
    "configuration": "/clusters/{cluster}/configuration?profile=two_sites",
    "bandwidth": "/clusters/{cluster}/bandwidth",
    "maintenance": "/clusters/{cluster}/node-absence",
    "state-transfer": "/clusters/{cluster}/state-transfer?data_bytes=1e9",
    "apply-rate": "/links/{link}/apply-capacity",
    "advice": "/links/{link}/advice",
}
GIVEN = {
    "network": ["--max-commit-ms", "30"],
    "concurrency": ["--delays-ms", "0,25;25,0"],
    "configuration": ["--profile", "two_sites"],
    "state-transfer": ["--data-bytes", "1e9"],
}


@pytest.fixture
def read(link: Link, monkeypatch: pytest.MonkeyPatch) -> Link:
    """A link whose nodes were read, and none can be asked now."""
    monkeypatch.setattr(cluster_concurrency, "read_configurations", lambda accesses: [])
    for cluster in (link.active_cluster, link.standby_cluster):
        store(cluster, configuration())
    return link


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("hawser_adviser", *arguments, stdout=out)
    return out.getvalue()


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if name not in TIMES}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def test_pages__all_of_the_adviser__have_a_command() -> None:
    assert {question.verb for question in QUESTIONS} == set(ADDRESSES)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.verb)
def test_page__as_json__is_what_the_api_returns(operator: Caller, read: Link, question: Any) -> None:
    names = {"link": read.name, "cluster": read.active_cluster.name, "name": read.name}
    subject = [names[question.of]] if question.of else []
    ids = {"link": read.id, "cluster": read.active_cluster_id}

    shown = json.loads(printed(question.verb, *subject, *GIVEN.get(question.verb, []), "--json"))

    answer = operator.get(ADDRESSES[question.verb].format(**ids))
    assert answer.status == 200, answer.body
    assert without_times(shown) == without_times(answer.body)
    assert printed(question.verb, *subject, *GIVEN.get(question.verb, [])).strip()


def test_advice__of_high_risk__ends_with_1(read: Link) -> None:
    store(read.active_cluster, with_options(configuration(), {"gmcast.mcast_addr": "239.192.0.11"}))
    with pytest.raises(CommandError, match="high risk"):
        printed("advice", read.active_cluster.name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bandwidth", "nothing"], "No cluster has the name or id nothing"),
        (["network", "nothing"], "No link has the name or id nothing"),
        (["advice", "nothing"], "No link or cluster has the name or id nothing"),
        (["concurrency", "--delays-ms", "0,25"], "--delays-ms: "),
        (["concurrency", "--delays-ms", "0,25;25,0", "--send-window", "many"], "--send-window: "),
    ],
)
def test_refused__names_the_argument(db: None, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        printed(*arguments)


def test_outline__tables_lists_and_unknown_values() -> None:
    shown = outline(
        {
            "is_whole": False,
            "known_s": None,
            "nodes": [{"name": "db-a1", "way": [1, 2]}, {"name": "b", "way": []}],
            "joiners": [{"name": "b", "donor": {"name": "c"}}],
            "none": [],
        }
    )
    assert shown.splitlines() == [
        "is whole: no",
        "known s: -",
        "nodes:",
        "  name   way",
        "  db-a1  1, 2",
        "  b      none",
        "joiners:",
        "  - name: b",
        "    donor:",
        "      name: c",
        "none: none",
    ]
