"""Plan and run with neither Redis nor a browser: for the day when those are what broke."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rest_framework.fields import BooleanField, ChoiceField, Field

from backend.accounts.authentication import user_of_password, user_of_token
from backend.accounts.models import User
from backend.accounts.os_user import os_user
from backend.accounts.persons import BREAK_GLASS
from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.common.errors import ProblemError
from backend.common.roles import Permission, may
from backend.runs import services
from backend.runs.documents.markdown import runbook
from backend.runs.execution.driver import run_inline
from backend.runs.models import Plan, Run, RunState
from backend.runs.planning.planner import KINDS
from backend.runs.rest.serializers.plans import PlanOptionsSerializer
from backend.runs.selectors import plan_view, run_get

RUN_LIMIT_S = 600.0
_DECISIONS = {
    "resume": "let a run that stopped for an operator go on from what the servers show",
    "abort": "end a run that is not past its point of no return; what it did is undone",
}
_NODES = ("source_node", "replica_node", "attest_fenced")
_WORDS = {name: field for name, field in PlanOptionsSerializer().fields.items() if name not in _NODES}
"""Options that name no node: the same as over the API."""


class Command(BaseCommand):
    """`plan LINK [...]`, `run PLAN --digest D --confirm LINK --reason R`, and `resume`, `abort`, `approve` of a run."""

    help = "Make a plan or run one in this very process; the same checks, the same record."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The verbs."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        plan = verbs.add_parser("plan", help="make a plan and print it as a runbook")
        plan.add_argument("link", help="name of the link")
        plan.add_argument("--kind", default="relocate", choices=KINDS)
        plan.add_argument("--reason", default="", help="kept with the plan; the run needs its own")
        plan.add_argument("--source-node", help="name of the node of the active side")
        plan.add_argument("--replica-node", help="name of the node of the standby side")
        plan.add_argument("--attest-fenced", action="append", default=[], metavar="NODE")
        for name, field in _WORDS.items():
            _add_word(plan, name, field)
        run = verbs.add_parser("run", help="run a plan that was made and read")
        run.add_argument("plan", help="id of the plan")
        run.add_argument("--digest", required=True, help="the digest shown with the plan")
        run.add_argument("--confirm", required=True, metavar="LINK", help="the link's name, typed again")
        run.add_argument("--reason", required=True)
        for verb, what in _DECISIONS.items():
            decision = verbs.add_parser(verb, help=what)
            decision.add_argument("run", help="id of the run")
            decision.add_argument("--reason", required=True)
        _add_approve(verbs.add_parser("approve", help="be the second person, by your own password or token"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, under the name of the account of the host that runs it: the environment has no say."""
        actor = f"{BREAK_GLASS}{os_user()}"
        try:
            {"plan": self._plan, "run": self._run, "approve": self._approve}.get(options["verb"], self._decide)(
                actor, options
            )
        except ProblemError as problem:
            raise CommandError(f"{problem.code}: {problem.detail}") from problem

    def _plan(self, actor: str, options: dict[str, Any]) -> None:
        link = Link.objects.filter(name=options["link"]).first()
        if link is None:
            raise CommandError(f"There is no link named {options['link']}.")
        wanted = {"source_node": options["source_node"], "replica_node": options["replica_node"]}
        chosen: dict[str, Any] = {key: _node_id(link, name) for key, name in wanted.items() if name}
        chosen["attest_fenced"] = [_node_id(link, name) for name in options["attest_fenced"]]
        chosen |= {name: options[name] for name in _WORDS if options[name] is not None}
        checked = PlanOptionsSerializer(data=chosen)
        if not checked.is_valid():
            messages = (
                f"--{name.replace('_', '-')}: {' '.join(map(str, why))}" for name, why in checked.errors.items()
            )
            raise CommandError("; ".join(messages))
        plan = services.plan_create(
            actor=actor, link=link, kind=options["kind"], reason=options["reason"], options=checked.validated_data
        )
        self.stdout.write(runbook(plan_view(plan, shows_rows=True)))

    def _run(self, actor: str, options: dict[str, Any]) -> None:
        plan = Plan.objects.select_related("link").filter(pk=options["plan"]).first()
        if plan is None:
            raise CommandError(f"There is no plan {options['plan']}.")
        started = services.run_start(
            actor=actor,
            plan=plan,
            digest=options["digest"],
            confirm=options["confirm"],
            reason=options["reason"],
        )
        if started.state == RunState.WAITING_APPROVAL:
            raise CommandError(_waits(started))
        self._carry(started)

    def _decide(self, actor: str, options: dict[str, Any]) -> None:
        decide = {"resume": services.run_resume, "abort": services.run_abort}
        decided = decide[options["verb"]](actor=actor, run=run_get(options["run"]), comment=options["reason"])
        if decided.state == RunState.WAITING_APPROVAL:
            raise CommandError(_waits(decided))
        self._carry(decided, wanted=RunState.ABORTED if options["verb"] == "abort" else RunState.SUCCEEDED)

    def _approve(self, actor: str, options: dict[str, Any]) -> None:
        run, given = run_get(options["run"]), {"digest": options["digest"], "comment": options["reason"]}
        if options["without_second_person"]:
            self.stderr.write("No second person: this is told to everybody, recorded, and must be reviewed.")
            self._carry(services.run_except(actor=actor, run=run, **given))
            return
        approver = _approver(actor, run, options)
        self._carry(services.run_approve(user=approver, run=run, at_shell_of=actor, **given))

    def _carry(self, begun: Run, wanted: RunState = RunState.SUCCEEDED) -> None:
        """Drive it to its end in this process, tell each step, and fail unless it ended as wanted."""
        run = run_inline(begun.id, limit_s=RUN_LIMIT_S)
        for step in run.steps.all():
            self.stdout.write(f"{step.index + 1:>2}  {step.state:<10} {step.title}: {step.outcome}")
        self.stdout.write(f"{run.state}: {run.outcome} {run.next_action}".strip())
        if run.state != wanted:
            raise CommandError(f"Run {run.id} ended as {run.state}.")


def _add_approve(approve: ArgumentParser) -> None:
    approve.add_argument("run", help="id of the run")
    approve.add_argument("--digest", required=True, help="the digest shown with the plan")
    approve.add_argument("--reason", required=True)
    way = approve.add_mutually_exclusive_group(required=True)
    way.add_argument("--as", dest="approver", metavar="NAME", help="the approver, who is asked for his own password")
    way.add_argument("--token-stdin", action="store_true", help="read the approver's own token from standard input")
    way.add_argument(
        "--without-second-person",
        action="store_true",
        help="nobody else can be reached: an exception, told and reviewed",
    )
    approve.add_argument("--password-stdin", action="store_true", help="read the password from standard input")


def _approver(actor: str, run: Run, options: dict[str, Any]) -> User:
    """Who proves here that he is an approver; an attempt that proves nothing is recorded."""
    if options["token_stdin"]:
        user = user_of_token(sys.stdin.readline().strip())
    else:
        user = user_of_password(options["approver"], _password(options))
    if user is not None and may(user.acting_role, Permission.APPROVE):
        return user
    audit.record(
        actor=actor,
        action="cli:run:refused_approval",
        link_id=run.link_id,
        run_id=run.id,
        target=user.username if user else options["approver"] or "",
        reason=options["reason"],
    )
    if user is None:
        raise CommandError("That is not the approver's password or token.")
    raise CommandError(f"{user.username} may not approve; an approver or an administrator may.")


def _password(options: dict[str, Any]) -> str:
    if options["password_stdin"]:
        return sys.stdin.readline().rstrip("\r\n")
    return getpass.getpass(f"Password of {options['approver']}: ")


def _waits(run: Run) -> str:
    return (
        f"Run {run.id} waits for a second person's approval: in the console, or here with "
        f"`approve {run.id} --digest {run.plan.digest} --as APPROVER --reason R`."
    )


def _add_word(plan: ArgumentParser, name: str, field: Field[Any, Any, Any, Any]) -> None:
    """An option as the API takes it, left out unless it is given."""
    flag = name.replace("_", "-")
    if not isinstance(field, BooleanField):
        choices = list(field.choices) if isinstance(field, ChoiceField) else None
        plan.add_argument(f"--{flag}", choices=choices)
    elif name == "probe":
        plan.add_argument("--no-probe", dest="probe", action="store_false", default=None)
    else:
        plan.add_argument(f"--{flag}", action="store_true", default=None)


def _node_id(link: Link, name: str) -> str:
    nodes = Node.objects.filter(cluster__in=[link.active_cluster_id, link.standby_cluster_id], name=name)
    found = nodes.values_list("pk", flat=True).first()
    if found is None:
        raise CommandError(f"{name} is not a node of {link.name}.")
    return str(found)
