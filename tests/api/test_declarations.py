"""A declaration over the API: compared, confirmed by its digest, applied by the services; nodes here are down."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.serializers import serialize

from backend.audit.models import AuditRecord
from backend.clusters import password_comparisons
from backend.clusters.models import Cluster, Credential, CredentialRole, Link
from backend.clusters.password_comparisons import DECLARED, MAX_COMPARISONS
from backend.clusters.selectors import account
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.token_limits import TokenLimits
from backend.registration.declaration import requested
from tests.backend.declaration.declared_file import ENVIRONMENT, PASSWORD, TEXT
from tests.support.console import CANARY, Answer, Caller

VALUES = {f"env:{name}": value for name, value in ENVIRONMENT.items()}
CHANGED = TEXT.replace("site: a\n", "site: a9\n").replace("home: milan", "home: rome")


def _compare(caller: Caller, text: str = TEXT, values: Any = VALUES, **options: Any) -> Answer:
    return caller.post("/declarations", {"document": text, "references": values, **options})


def _apply(caller: Caller, text: str = TEXT, digest: str = "", values: Any = VALUES, **options: Any) -> Answer:
    """Apply what a comparison shows, unless another digest is given."""
    shown = digest or _compare(caller, text, values, **options).body["digest"]
    body = {"document": text, "references": values, "digest": shown, "reason": "ticket 4711", **options}
    return caller.post("/declarations/apply", body)


def _actions() -> list[str]:
    actions = AuditRecord.objects.order_by("seq").values_list("action", flat=True)
    return [one for one in actions if one.startswith(("api:cluster", "api:link", "api:declaration"))]


def _stored() -> str:
    """Everything that the console's database holds, as text."""
    every = [model for model in apps.get_models() if model._meta.managed]
    return "".join(serialize("json", model._default_manager.all()) for model in every)


@pytest.fixture
def applied(admin: Caller) -> Caller:
    """An administrator who has applied the file."""
    answer = _apply(admin)
    assert [one["outcome"] for one in answer.body["changes"]] == ["done"] * 3, answer.body
    return admin


def test_compare__no_values__the_missing_references_and_nothing_compared(admin: Caller) -> None:
    text = TEXT.replace("mode: disabled", "mode: verify_ca, ca_file: milan-ca.pem", 1)
    answer = admin.post("/declarations", {"document": text})
    assert answer.status == 200, answer.body
    missing = answer.body["missing_references"]
    assert {"path": "clusters[0].credentials.monitor.password", "name": "env:M_PASSWORD"} in missing
    assert {"path": "clusters[0].tls.ca_file", "name": "milan-ca.pem"} in missing
    assert (len(missing), answer.body["digest"], answer.body["changes"]) == (7, None, [])
    assert answer.body["summary"].startswith("2 references have no value.")
    refused = _apply(admin, text, "0" * 64, {})
    assert (refused.status, refused.body["errors"][0]["field"]) == (400, "references")
    assert "env:M_PASSWORD, milan-ca.pem" in refused.body["detail"]


def test_references__that_this_host_could_resolve__never_read(
    admin: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret.pem"
    file.write_text(PASSWORD)
    monkeypatch.setenv("M_PASSWORD", PASSWORD)
    monkeypatch.chdir(tmp_path)
    text = TEXT.replace("env:M_PASSWORD", f"file:{file}", 1)
    text = text.replace("mode: disabled", "mode: verify_ca, ca_file: secret.pem", 1)
    answer = _compare(admin, text, {})
    assert answer.status == 200, answer.body
    assert {one["name"] for one in answer.body["missing_references"]} == {
        f"file:{file}",
        "env:M_PASSWORD",
        "secret.pem",
    }


def test_compare__complete__differences_in_order_and_nothing_changed(admin: Caller) -> None:
    answer = _compare(admin)
    assert [(one["object"], one["name"], one["outcome"]) for one in answer.body["changes"]] == [
        ("cluster", "milan", "planned"),
        ("cluster", "rome", "planned"),
        ("link", "payments", "planned"),
    ]
    assert answer.body["changes"][0]["fields"]["site"] == {"before": None, "after": "a"}
    assert answer.body["summary"] == "3 changes to make, in this order. Nothing was changed."
    assert not Cluster.objects.exists()
    assert _actions() == []


def test_apply__confirmed__registered_by_the_services_and_then_no_difference(admin: Caller) -> None:
    answer = _apply(admin)
    assert answer.status == 200, answer.body
    assert answer.body["summary"] == "3 changes made."
    assert _actions() == ["api:cluster:register", "api:cluster:register", "api:link:register"]
    record = AuditRecord.objects.get(action="api:link:register")
    assert (record.actor, record.reason) == ("admin-1", "ticket 4711")
    assert account(Cluster.objects.get(name="milan"), CredentialRole.MONITOR) == ("u_monitor", PASSWORD)
    second = _compare(admin)
    assert (second.body["changes"], second.body["summary"]) == ([], "No differences. Nothing was changed.")
    assert _apply(admin, digest=second.body["digest"]).body["changes"] == []


def test_apply__lost_response_repeated__nothing_is_done_twice(admin: Caller) -> None:
    digest = _compare(admin).body["digest"]
    assert _apply(admin, digest=digest).status == 200
    before = list(Cluster.objects.values())
    repeated = _apply(admin, digest=digest)
    assert (repeated.status, repeated.body["code"]) == (409, "differences_changed")
    assert list(Cluster.objects.values()) == before


def test_apply__changed_by_another_administrator_since_it_was_read__refused(applied: Caller) -> None:
    digest = _compare(applied, CHANGED).body["digest"]
    Link.objects.update(version=9)
    answer = _apply(applied, CHANGED, digest)
    assert (answer.status, answer.body.get("code")) == (409, "differences_changed")
    assert Cluster.objects.get(name="milan").site == "a"


def _by_another(_: Caller) -> None:
    Cluster.objects.filter(name="milan").update(site="elsewhere", version=9)


def _version_alone(_: Caller) -> None:
    Link.objects.update(version=9)


@pytest.mark.parametrize(
    ("between", "text", "options"),
    [
        (_by_another, CHANGED, {}),
        (_version_alone, CHANGED, {}),
        (lambda _: None, CHANGED.replace("a9", "a8"), {}),
        (lambda _: None, CHANGED, {"prune": True}),
        (lambda _: None, CHANGED, {"accept_unreachable": True}),
    ],
)
def test_apply__something_else_than_was_read__refused_and_nothing_changed(
    applied: Caller, between: Callable[[Caller], None], text: str, options: dict[str, bool]
) -> None:
    digest = _compare(applied, CHANGED).body["digest"]
    between(applied)
    before = [list(model.objects.values()) for model in (Cluster, Link, Credential)]
    answer = _apply(applied, text, digest, **options)
    assert (answer.status, answer.body["code"]) == (409, "differences_changed"), answer.body
    assert [list(model.objects.values()) for model in (Cluster, Link, Credential)] == before


def test_apply__refused_in_the_middle__each_outcome(applied: Caller) -> None:
    text = CHANGED.replace("user: u_monitor", "user: m2")
    answer = _apply(applied, text)
    assert answer.status == 200
    outcomes = [(one["object"], one["outcome"]) for one in answer.body["changes"]]
    assert outcomes[:2] == [("cluster", "done"), ("account", "refused")]
    assert {outcome for _, outcome in outcomes[2:]} == {"not_done"}
    assert "did not respond" in answer.body["changes"][1]["note"]
    assert (Cluster.objects.get(name="milan").site, Link.objects.get().home_cluster) == (
        "a9",
        Cluster.objects.get(name="milan"),
    )
    accepted = _apply(applied, text, accept_unreachable=True)
    assert accepted.body["summary"] == "3 changes made."


def test_apply__end_of_the_approval_rule__waits_for_a_second_administrator(
    admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    _apply(admin, TEXT.replace("home: milan", "home: milan\n    requires_approval: true"))
    monkeypatch.setattr("backend.identity.accounts.protected_changes.is_installation", lambda: False)
    answer = _apply(admin, TEXT.replace("home: milan", "home: milan\n    requires_approval: false"))
    assert "waits for a second administrator" in answer.body["changes"][0]["note"]
    assert Link.objects.get().requires_approval
    assert ProtectedChange.objects.get().requested_by == "admin-1"


def test_apply__both_sides_written__registered_so_and_changed_as_declared(admin: Caller) -> None:
    both = TEXT.replace("home: milan", "home: milan\n    writes_on_both_sides: true")
    _apply(admin, both)
    assert Link.objects.get().writes_on_both_sides
    assert _compare(admin).body["changes"] == []
    answer = _apply(admin, both.replace("sides: true", "sides: false"))
    assert answer.body["changes"][0]["fields"] == {"writes_on_both_sides": {"before": True, "after": False}}
    assert not Link.objects.get().writes_on_both_sides


def test_compare__undeclared_node__named_and_removed_only_if_asked(applied: Caller) -> None:
    text = TEXT.replace("      - {name: a2, host: 127.0.71.2, port: 1}\n", "")
    answer = _compare(applied, text)
    assert (answer.body["changes"], answer.body["undeclared_nodes"]) == ([], [{"cluster": "milan", "name": "a2"}])
    pruned = _compare(applied, text, prune=True).body
    assert [(one["operation"], one["name"]) for one in pruned["changes"]] == [("remove", "a2")]


@pytest.mark.parametrize("path", ["/declarations", "/declarations/apply"])
def test_document__with_faults__one_problem_with_every_place(admin: Caller, path: str) -> None:
    text = TEXT.replace("port: 1}", "port: x}", 1).replace("env:M_PASSWORD", CANARY, 1)
    body = {"document": text} | ({"digest": "0" * 64, "reason": "r"} if path.endswith("apply") else {})
    answer = admin.post(path, body)
    assert (answer.status, answer.body["code"]) == (400, "declaration_invalid")
    places = {one["field"] for one in answer.body["errors"]}
    assert {"document.clusters[0].nodes[0].port", "document.clusters[0].credentials.monitor.password"} <= places
    assert all(one["message"] for one in answer.body["errors"])
    assert CANARY not in json.dumps(answer.body)


def test_document__no_change_reaches_it__refused_before_the_first_change(applied: Caller) -> None:
    text = CHANGED.replace("home: rome", "home: rome\n    channel_name: dr")
    answer = _apply(applied, text, "0" * 64)
    assert (answer.status, answer.body["code"]) == (409, "declaration_refused")
    assert answer.body["errors"][0]["field"] == "document.links[0].channel_name"
    assert Cluster.objects.get(name="milan").site == "a"


@pytest.mark.parametrize(
    ("references", "code"),
    [
        ([], "validation_failed"),
        ({"env:M_PASSWORD": 7}, "validation_failed"),
        ({"env:M_PASSWORD": "x" * 70_000}, "validation_failed"),
        ({"env:M_PASSWORD": f"{CANARY}\nsecond line"}, "declaration_invalid"),
        ({"env:M_PASSWORD": "p", CANARY: "swapped by mistake"}, "validation_failed"),
    ],
)
def test_references__that_cannot_be_used__refused_and_not_repeated(admin: Caller, references: Any, code: str) -> None:
    answer = _compare(admin, TEXT, references)
    assert (answer.status, answer.body["code"]) == (400, code), answer.body
    assert CANARY not in json.dumps(answer.body)


def test_passwords__of_every_call__in_no_table_log_or_answer(
    admin: Caller,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [_compare(admin), _apply(admin), _compare(admin, values={"env:M_PASSWORD": f"{CANARY}2"})]
    text = TEXT.replace("user: u_monitor", "user: m2")
    answers += [_apply(admin, text, accept_unreachable=True), _apply(admin, text, "0" * 64)]
    monkeypatch.setattr(requested, "differences", lambda *_, **__: 1 / 0)
    answers.append(_compare(admin))
    assert answers[-1].status == 500
    output = capfd.readouterr()
    for text in (_stored(), caplog.text, output.out, output.err, *(json.dumps(one.body) for one in answers)):
        assert CANARY not in text


def test_comparison__of_a_stored_password__recorded_without_its_result(applied: Caller) -> None:
    assert DECLARED not in _actions(), "nothing was registered, so nothing was compared"
    _compare(applied, TEXT, {})
    assert DECLARED not in _actions()
    _compare(applied)
    _compare(applied, values={"env:M_PASSWORD": "guess"})
    records = AuditRecord.objects.filter(action=DECLARED).order_by("seq")
    facts = [one.facts for one in records]
    assert len(facts) == 2
    assert facts[0] == facts[1]
    assert facts[0]["accounts"][:2] == ["milan/monitor", "milan/operator"]
    assert {one.actor for one in records} == {"admin-1"}


def test_comparison__too_many_of_one_account__refused_before_the_result_is_told(
    applied: Caller, as_role: Callable[[str], Caller], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 3)
    for _ in range(3):
        assert _compare(applied, values={"env:M_PASSWORD": "guess"}).status == 200
    for answer in (_compare(applied), _apply(applied, digest="0" * 64)):
        assert (answer.status, answer.body.get("code")) == (429, "too_many_comparisons")
        assert answer.headers["Retry-After"] == "3600"
        assert "changes" not in answer.body
    assert AuditRecord.objects.filter(action=DECLARED).count() == 3
    other = TEXT.replace("name: milan", "name: oslo").replace("name: rome", "name: bergen").partition("links:")[0]
    other = other.replace("127.0.71", "127.0.73")
    assert _compare(applied, other).status == 200, "other accounts can still be compared"
    assert MAX_COMPARISONS == 30


def test_comparison__others_recorded_at_the_same_moment__the_limit_counts_them(
    applied: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 1)
    record = password_comparisons._record

    def after_another(*given: Any) -> int:
        record(given[0], "someone", *given[2:])
        return record(*given)

    monkeypatch.setattr(password_comparisons, "_record", after_another)
    assert _compare(applied).status == 429


@pytest.mark.parametrize("role", ["viewer", "operator", "approver"])
def test_declarations__lesser_roles__refused(as_role: Callable[[str], Caller], role: str) -> None:
    for path in ("/declarations", "/declarations/apply"):
        assert as_role(role).post(path, {"document": TEXT}).status == 403


def _caller_for_clusters(link: bool = False) -> Caller:
    """A token of an administrator that is limited to clusters, or to clusters and links."""
    owner, permissions = User.objects.get(username="admin-1"), ["clusters", "links"] if link else ["clusters"]
    limits = TokenLimits(permissions=permissions)
    _, secret = token_services.token_create(
        owner=owner, label="t", role=None, expires_days=1, actor="admin-1", limits=limits
    )
    return Caller(secret)


def test_apply__new_link_by_a_token_for_clusters__refused_before_anything_is_made(admin: Caller) -> None:
    answer = _apply(_caller_for_clusters())
    assert (answer.status, answer.body.get("code")) == (403, "forbidden")
    assert "payments" in answer.body["detail"]
    assert not Cluster.objects.exists()
    assert [one["outcome"] for one in _apply(_caller_for_clusters(link=True)).body["changes"]] == ["done"] * 3


def test_apply__changed_link_by_a_token_for_clusters__refused_and_the_cluster_is_as_it_was(applied: Caller) -> None:
    caller = _caller_for_clusters()
    assert _apply(caller, CHANGED).status == 403
    assert Cluster.objects.get(name="milan").site == "a"
    changed = _apply(caller, CHANGED.replace("home: rome", "home: milan"))
    assert [(one["object"], one["outcome"]) for one in changed.body["changes"]] == [("cluster", "done")]
