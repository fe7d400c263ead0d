"""`hawser_breakglass` plans and runs without Redis, web and workers, for an incident in which those are down."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from rest_framework.fields import BooleanField, ChoiceField, Field

from backend.audit import services as audit
from backend.clusters.models import Link, Node
from backend.common import unfinished_restore
from backend.common.commands import ConsoleCommand
from backend.common.errors import ProblemError
from backend.common.roles import Permission
from backend.core.plans.kinds import PLAN_KINDS
from backend.identity.access.deciding import may_on_link
from backend.identity.accounts import throttle
from backend.identity.accounts.authentication import user_of_password, user_of_token
from backend.identity.accounts.models import User
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import BREAK_GLASS
from backend.identity.accounts.second_factor import factors
from backend.operations.runs import services
from backend.operations.runs.documents.markdown import runbook
from backend.operations.runs.execution.driver import run_inline
from backend.operations.runs.models import Plan, Run, RunState
from backend.operations.runs.rest.serializers.plans import PlanOptionsSerializer
from backend.operations.runs.selectors import plan_view, run_get

RUN_LIMIT_S = 600.0
_DECISIONS = {
    "resume": "resume a run that stopped for an operator; node state is rechecked first",
    "abort": "end a run that has not passed its point of no return, and revert its steps",
}
_NODES = ("source_node", "replica_node", "attest_fenced")
_OPTIONS = {name: field for name, field in PlanOptionsSerializer().fields.items() if name not in (*_NODES, "settings")}
"""Plan options that name no node and hold one value; they are the same as in the API."""
_REASON = "reason, stored in the audit log"
_DIGEST = "digest printed with the plan"
_MAX_REASON = 500


class Command(ConsoleCommand):
    """Applies the same checks and writes the same audit records as the API."""

    help = (
        "Emergency command line: create or run a plan in this process, without Redis, web or workers.\n"
        "All checks and audit records apply."
    )
    examples = (
        'hawser_breakglass plan payments --reason "db-a1 failed, Redis too" > runbook.md',
        'hawser_breakglass run p_abcdefghijkl --digest DIGEST --confirm payments --reason "db-a1 failed"',
        'hawser_breakglass approve r_abcdefghijkl --digest DIGEST --reason "reviewed" --as anna',
        'hawser_breakglass resume r_abcdefghijkl --reason "network restored"',
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One parser per verb."""
        verbs = parser.add_subparsers(dest="verb", required=True, help="what to do")
        _add_plan(verbs.add_parser("plan", help="create a plan and print it as a runbook"))
        run = verbs.add_parser("run", help="run a plan that was created and reviewed")
        run.add_argument("plan", help="id of the plan")
        run.add_argument("--digest", required=True, help=_DIGEST)
        run.add_argument("--confirm", required=True, metavar="LINK", help="name of the link, as a confirmation")
        run.add_argument("--reason", required=True, help=_REASON)
        run.add_argument(
            "--override-calendar",
            metavar="REASON",
            help="start a planned operation in spite of the change calendar, for this reason; all users are warned",
        )
        for verb, effect in _DECISIONS.items():
            decision = verbs.add_parser(verb, help=effect)
            decision.add_argument("run", help="id of the run")
            decision.add_argument("--reason", required=True, help=_REASON)
        _add_approve(verbs.add_parser("approve", help="approve a run requested by another user"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the verb as the operating system's account; environment variables cannot change that name."""
        unfinished_restore.refuse()
        actor = f"{BREAK_GLASS}{os_user()}"
        try:
            {"plan": self._plan, "run": self._run, "approve": self._approve}.get(options["verb"], self._decide)(
                actor, options
            )
        except ProblemError as problem:
            raise CommandError(f"{problem.code}: {problem.detail}") from problem

    def _plan(self, actor: str, options: dict[str, Any]) -> None:
        link = Link.objects.filter(name=options["link"], retired_at=None).first()
        if link is None:
            raise CommandError(f"There is no link named {options['link']}.")
        wanted = {"source_node": options["source_node"], "replica_node": options["replica_node"]}
        chosen: dict[str, Any] = {key: _node_id(link, name) for key, name in wanted.items() if name}
        chosen["attest_fenced"] = [_node_id(link, name) for name in options["attest_fenced"]]
        if options["setting"]:
            chosen["settings"] = [_setting(text) for text in options["setting"]]
        chosen |= {name: options[name] for name in _OPTIONS if options[name] is not None}
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
            raise CommandError(f"There is no plan with the id {options['plan']}.")
        started = services.run_start(
            actor=actor,
            plan=plan,
            digest=options["digest"],
            confirm=options["confirm"],
            reason=options["reason"],
            override_calendar=_override(options["override_calendar"]),
        )
        if started.state == RunState.WAITING_APPROVAL:
            raise CommandError(_approval_needed(started))
        self._drive(started)

    def _decide(self, actor: str, options: dict[str, Any]) -> None:
        decide = {"resume": services.run_resume, "abort": services.run_abort}
        decided = decide[options["verb"]](actor=actor, run=run_get(options["run"]), comment=options["reason"])
        if decided.state == RunState.WAITING_APPROVAL:
            raise CommandError(_approval_needed(decided))
        self._drive(decided, wanted=RunState.ABORTED if options["verb"] == "abort" else RunState.SUCCEEDED)

    def _approve(self, actor: str, options: dict[str, Any]) -> None:
        run, given = run_get(options["run"]), {"digest": options["digest"], "comment": options["reason"]}
        if options["without_second_person"]:
            self.stderr.write("The run starts without a second person. All users see this, and it must be reviewed.")
            self._drive(services.run_except(actor=actor, run=run, **given))
            return
        approver = _approver(actor, run, options)
        self._drive(services.run_approve(user=approver, run=run, at_shell_of=actor, **given))

    def _drive(self, begun: Run, wanted: RunState = RunState.SUCCEEDED) -> None:
        """Execute the run in this process, print each step, and fail unless the run ended as wanted."""
        run = run_inline(begun.id, limit_s=RUN_LIMIT_S)
        for step in run.steps.all():
            self.stdout.write(f"{step.index + 1:>2}  {step.state:<10} {step.title}: {step.outcome}")
        self.stdout.write(f"{run.state}: {run.outcome} {run.next_action}".strip())
        if run.state != wanted:
            raise CommandError(f"Run {run.id} ended as {run.state}.")


def _add_plan(plan: ArgumentParser) -> None:
    plan.add_argument("link", help="name of the link")
    plan.add_argument(
        "--kind", default="relocate", choices=tuple(PLAN_KINDS), help="operation to plan; relocate by default"
    )
    plan.add_argument("--reason", default="", help="reason, stored with the plan; the run needs its own")
    plan.add_argument("--source-node", metavar="NODE", help="name of a node of the active side")
    plan.add_argument("--replica-node", metavar="NODE", help="name of a node of the standby side")
    plan.add_argument(
        "--attest-fenced",
        action="append",
        default=[],
        metavar="NODE",
        help="name of an unreachable node that you attest is fenced; may be repeated",
    )
    plan.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="setting to change on every node of the side (configure); may be repeated",
    )
    for name, field in _OPTIONS.items():
        _add_option(plan, name, field)


def _add_approve(approve: ArgumentParser) -> None:
    approve.add_argument("run", help="id of the run")
    approve.add_argument("--digest", required=True, help=_DIGEST)
    approve.add_argument("--reason", required=True, help=_REASON)
    proof = approve.add_mutually_exclusive_group(required=True)
    proof.add_argument("--as", dest="approver", metavar="NAME", help="the approver, who enters their own password")
    proof.add_argument("--token-stdin", action="store_true", help="read the approver's own token from standard input")
    proof.add_argument(
        "--without-second-person",
        action="store_true",
        help="no other approver can be reached; the exception is shown to all users and must be reviewed",
    )
    approve.add_argument(
        "--password-stdin",
        action="store_true",
        help="read the password from standard input, and in the next line a code if the approver has a second factor",
    )


def _approver(actor: str, run: Run, options: dict[str, Any]) -> User:
    """The approver who proves their identity here; a failed attempt is recorded."""
    try:
        user = _proven(actor, options)
    except ProblemError as problem:
        _record_refused(actor, run, options, problem.code)
        raise
    if user is not None and may_on_link(user, Permission.APPROVE, run.link_id):
        return user
    _record_refused(actor, run, options, "wrong_credentials" if user is None else "forbidden", user)
    if user is None:
        raise CommandError("Wrong password, code or token. The run was not approved.")
    raise CommandError(
        f"{user.username} may not approve runs on {run.link.name}; only an approver or an administrator can approve. "
        "The run was not approved."
    )


def _proven(actor: str, options: dict[str, Any]) -> User | None:
    """Whose token, or password and code, were given. Passwords and codes are counted as those of the page are."""
    if options["token_stdin"]:
        return user_of_token(sys.stdin.readline().strip())
    attempt = throttle.count_attempt(username=options["approver"], source_ip=actor, browser_id=None)
    user = user_of_password(options["approver"], _password(options))
    if user is None:
        return None
    attempt.succeed()
    return user if _has_second_factor(user, options) else None


def _record_refused(actor: str, run: Run, options: dict[str, Any], code: str, user: User | None = None) -> None:
    audit.record(
        actor=actor,
        action="cli:run:refused_approval",
        link_id=run.link_id,
        run_id=run.id,
        target=user.username if user else options["approver"] or "",
        reason=options["reason"],
        facts={"code": code},
    )


def _has_second_factor(user: User, options: dict[str, Any]) -> bool:
    """Whether the user gives a code of the app or a recovery code, if the user has a second factor."""
    if not factors().ways_of(user):
        return True
    return factors().is_code_right(user, _second_factor(options))


def _second_factor(options: dict[str, Any]) -> str:
    if options["password_stdin"]:
        return sys.stdin.readline().rstrip("\r\n")
    return getpass.getpass(f"Code of the app, or a recovery code, of {options['approver']}: ")


def _password(options: dict[str, Any]) -> str:
    if options["password_stdin"]:
        return sys.stdin.readline().rstrip("\r\n")
    return getpass.getpass(f"Password of {options['approver']}: ")


def _override(reason: str | None) -> str:
    """The reason to override the change calendar; empty where it is not overridden."""
    if reason is not None and not reason.strip():
        raise CommandError("--override-calendar: give a reason. Nothing was sent.")
    return (reason or "").strip()[:_MAX_REASON]


def _approval_needed(run: Run) -> str:
    return (
        f"Run {run.id} is waiting for the approval of a second person. Nothing was sent. Approve it in the console, or "
        f"here with `approve {run.id} --digest {run.plan.digest} --as APPROVER --reason R`."
    )


def _add_option(plan: ArgumentParser, name: str, field: Field[Any, Any, Any, Any]) -> None:
    """A plan option with the help text of the API; it is left out unless it is given."""
    flag = name.replace("_", "-")
    if not isinstance(field, BooleanField):
        choices = list(field.choices) if isinstance(field, ChoiceField) else None
        plan.add_argument(f"--{flag}", choices=choices, help=str(field.help_text or ""))
    elif name == "probe":
        plan.add_argument(
            "--no-probe", dest="probe", action="store_false", default=None, help="do not write a probe row at the end"
        )
    else:
        plan.add_argument(f"--{flag}", action="store_true", default=None, help=str(field.help_text or ""))


def _setting(text: str) -> dict[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--setting {text}: write NAME=VALUE.")
    return {"name": name, "value": value}


def _node_id(link: Link, name: str) -> str:
    nodes = Node.objects.filter(cluster__in=[link.active_cluster_id, link.standby_cluster_id], name=name)
    found = nodes.values_list("pk", flat=True).first()
    if found is None:
        raise CommandError(f"{name} is not a node of {link.name}.")
    return str(found)
