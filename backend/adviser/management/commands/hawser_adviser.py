"""`hawser_adviser` prints the pages of the adviser."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from rest_framework.utils.encoders import JSONEncoder

from backend.adviser.advice.by_name import cluster_named, link_named
from backend.adviser.advice.text import advice_text
from backend.adviser.answers import QUESTIONS, Question
from backend.adviser.outline import outline
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.common.rest.views import shape_of

_SUBJECTS = {
    "link": "name or id of the link",
    "cluster": "name or id of the cluster",
    "name": "name or id of the link or cluster; a link if both have it",
}
_BY_VERB = {question.verb: question for question in QUESTIONS}


class Command(ConsoleCommand):
    """Answers as the REST calls do, from the same functions; nothing is changed on a server."""

    help = "Print a page of the adviser: network, distance, configuration, bandwidth, maintenance, SST, advice."
    examples = (
        "hawser_adviser network payments --max-commit-ms 25",
        "hawser_adviser concurrency --delays-ms '0,25;25,0' --wanted-per-s 500",
        "hawser_adviser configuration milan --profile two_sites --json",
        "hawser_adviser state-transfer milan --data-bytes 50e9 --line-mbit-per-s 200",
        "hawser_adviser advice payments",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One parser per page, with the parameters of its REST call."""
        verbs = parser.add_subparsers(dest="verb", required=True, help="the page")
        for question in QUESTIONS:
            own = verbs.add_parser(question.verb, help=question.help)
            if question.of:
                own.add_argument("name", help=_SUBJECTS[question.of])
            for name, field in _parameters(question).items():
                text = str(field.help_text or "a value of the API's parameter of this name")
                own.add_argument(
                    f"--{name.replace('_', '-')}",
                    required=field.required,
                    help=text.replace("%", "%%").replace("`", ""),
                )
            own.add_argument("--json", action="store_true", help="print the response of the API")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer and print."""
        question = _BY_VERB[options["verb"]]
        try:
            answer = question.answer(_subject(question, options), _given(question, options))
        except ProblemError as error:
            fields = "".join(f"\n{_option(one['field'])}: {one['message']}" for one in error.errors)
            raise CommandError(f"{error.detail}{fields}") from error
        if answer is None:
            raise CommandError(f"No link or cluster has the name or id {options['name']}.")
        self.stdout.write(_printed(question, answer, as_json=options["json"]))
        if question.of == "name" and answer.open.high:
            raise CommandError("Advice of high risk is open.")


def _parameters(question: Question) -> dict[str, Any]:
    return {} if question.query is None else dict(question.query().fields)


def _subject(question: Question, options: dict[str, Any]) -> Any:
    if question.of in ("", "name"):
        return options.get("name")
    found = link_named(options["name"]) if question.of == "link" else cluster_named(options["name"])
    if found is None:
        raise CommandError(f"No {question.of} has the name or id {options['name']}.")
    return found


def _given(question: Question, options: dict[str, Any]) -> dict[str, Any]:
    if question.query is None:
        return {}
    names = _parameters(question)
    checked = question.query(data={name: options[name] for name in names if options[name] is not None})
    if not checked.is_valid():
        raise CommandError("\n".join(f"{_option(name)}: {texts[0]}" for name, texts in checked.errors.items()))
    return dict(checked.validated_data)


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def _printed(question: Question, answer: Any, *, as_json: bool) -> str:
    if question.of == "name" and not as_json:
        return advice_text(answer)
    shown = shape_of(question.response).to_representation(answer)
    return json.dumps(shown, indent=2, cls=JSONEncoder) + "\n" if as_json else outline(shown)
