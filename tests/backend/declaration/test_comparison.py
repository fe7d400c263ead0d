"""Comparison of a file with the registration: by tables, and by one property over generated states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.registration.declaration.comparison import differences, undeclared_nodes
from backend.registration.declaration.difference import Difference, Kind, Operation, certificate_sign
from backend.registration.declaration.faults import faults
from backend.registration.declaration.state import (
    SEALED,
    UNREADABLE,
    AccountState,
    ClientState,
    ClusterState,
    LinkState,
    NodeState,
    RegistrationState,
)
from tests.core.builders.examples import examples

ROLES = ("monitor", "operator", "replication")
ONE, TWO = NodeState("db-a1", "10.1.0.11", 3306), NodeState("db-a2", "10.1.0.12", 3306)
MILAN = ClusterState(
    "milan", "a", "disabled", "", {role: AccountState(f"u_{role}", "d1") for role in ROLES}, (ONE, TWO)
)
ROME = replace(MILAN, name="rome", nodes=(NodeState("db-b1", "10.2.0.11", 3306),))
LINK = LinkState(
    "payments", frozenset({"milan", "rome"}), "milan", "", requires_approval=False, writes_on_both_sides=False
)
STORED = RegistrationState((MILAN, ROME), (LINK,))


def _with(cluster: ClusterState = MILAN, link: LinkState = LINK) -> RegistrationState:
    return RegistrationState((cluster, ROME), (link,))


def _account(**changes: str) -> ClusterState:
    return replace(MILAN, accounts={**MILAN.accounts, "monitor": replace(MILAN.accounts["monitor"], **changes)})


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (_with(), []),
        (_with(replace(MILAN, nodes=(TWO, ONE))), []),
        (_with(replace(MILAN, site="a2")), ["change cluster milan clusters[0] site: a -> a2"]),
        (
            _with(replace(MILAN, tls_mode="verify_ca", tls_ca="PEM")),
            [
                (
                    "change cluster milan clusters[0] tls.mode: disabled -> verify_ca, "
                    f"tls.ca: none -> {certificate_sign('PEM')}"
                )
            ],
        ),
        (
            _with(_account(digest="d2")),
            ["change account monitor clusters[0].credentials.monitor password: stored -> changed"],
        ),
        (
            _with(_account(user="m2")),
            [
                (
                    "change account monitor clusters[0].credentials.monitor user: u_monitor -> m2, "
                    "password: stored -> unchanged"
                )
            ],
        ),
        (
            _with(replace(MILAN, nodes=(ONE, replace(TWO, port=3307)))),
            ["change node db-a2 clusters[0].nodes[1] port: 3306 -> 3307"],
        ),
        (
            _with(replace(MILAN, nodes=(replace(ONE, name="a1"), TWO))),
            ["change node db-a1 clusters[0].nodes[0] name: db-a1 -> a1"],
        ),
        (
            _with(replace(MILAN, nodes=(ONE, TWO, NodeState("db-a3", "10.1.0.13", 3306)))),
            ["add node db-a3 clusters[0].nodes[2] host: None -> 10.1.0.13, port: None -> 3306"],
        ),
        (_with(link=replace(LINK, home="rome")), ["change link payments links[0] home: milan -> rome"]),
        (_with(link=replace(LINK, requires_approval=None)), []),
        (
            _with(link=replace(LINK, requires_approval=True)),
            ["change link payments links[0] requires_approval: False -> True"],
        ),
        (_with(link=replace(LINK, writes_on_both_sides=None)), []),
        (
            _with(link=replace(LINK, writes_on_both_sides=True)),
            ["change link payments links[0] writes_on_both_sides: False -> True"],
        ),
        (_with(replace(MILAN, nodes=(ONE,))), []),
    ],
)
def test_differences__one_change__named_with_its_place(declared: RegistrationState, expected: list[str]) -> None:
    assert [_line(one) for one in differences(STORED, declared)] == expected


def test_differences__nothing_registered__clusters_before_links() -> None:
    found = differences(RegistrationState(), STORED)
    assert [(one.operation, one.kind, one.name) for one in found] == [
        (Operation.ADD, Kind.CLUSTER, "milan"),
        (Operation.ADD, Kind.CLUSTER, "rome"),
        (Operation.ADD, Kind.LINK, "payments"),
    ]


def test_differences__prune__removes_nodes_and_nothing_else() -> None:
    declared = RegistrationState((replace(MILAN, nodes=(ONE,)),))
    (found,) = differences(STORED, declared, prunes=True)
    assert (found.operation, found.kind, found.cluster, found.name) == (Operation.REMOVE, Kind.NODE, "milan", "db-a2")
    assert undeclared_nodes(STORED, declared) == (("milan", "db-a2"),)


@pytest.mark.parametrize(
    ("stored", "declared", "expected"),
    [
        (ClientState("PEM", SEALED), None, ""),
        (ClientState("PEM", SEALED), ClientState("PEM", SEALED), ""),
        (
            None,
            ClientState("PEM", SEALED),
            f"tls.cert: none -> {certificate_sign('PEM')}, tls.key: none -> sealed",
        ),
        (
            ClientState("OLD", SEALED),
            ClientState("PEM", SEALED),
            f"tls.cert: {certificate_sign('OLD')} -> {certificate_sign('PEM')}",
        ),
        (ClientState("PEM", SEALED), ClientState("PEM", "file:/k"), "tls.key: sealed -> file:/k"),
        (ClientState("PEM", UNREADABLE), ClientState("PEM", SEALED), "tls.key: sealed and unreadable -> sealed"),
    ],
)
def test_differences__client_certificate__a_sign_of_it_and_where_its_key_is(
    stored: ClientState | None, declared: ClientState | None, expected: str
) -> None:
    found = differences(_with(replace(MILAN, client=stored)), _with(replace(MILAN, client=declared)))
    assert [_line(one) for one in found] == ([f"change cluster milan clusters[0] {expected}"] if expected else [])


def test_differences__password_that_cannot_be_read__stored_again() -> None:
    """Unknown never counts as equal, also where the declared one is unknown."""
    stored = _with(_account(digest=""))
    assert len(differences(stored, _with())) == 1
    assert len(differences(stored, stored)) == 1


@pytest.mark.parametrize(
    ("declared", "path"),
    [
        (_with(), ""),
        (_with(replace(MILAN, nodes=(replace(ONE, host="10.2.0.11"),))), "clusters[0].nodes[0].host"),
        (_with(link=replace(LINK, clusters=frozenset({"milan", "oslo"}))), "links[0].clusters"),
        (_with(link=replace(LINK, channel_name="dr")), "links[0].channel_name"),
        (_with(link=replace(LINK, name="billing")), "links[0].name"),
    ],
)
def test_faults__what_no_change_reaches__found_before_the_first_change(declared: RegistrationState, path: str) -> None:
    assert {fault.path for fault in faults(STORED, declared)} == ({path} if path else set())


def test_faults__channel_name_in_another_case__the_same_name() -> None:
    stored = _with(link=replace(LINK, channel_name="DR"))
    assert faults(stored, _with(link=replace(LINK, channel_name="dr"))) == ()


def _line(one: Difference) -> str:
    fields = ", ".join(f"{field.name}: {field.before} -> {field.after}" for field in one.fields)
    return f"{one.operation} {one.kind} {one.name} {one.path} {fields}"


_ACCOUNTS = st.fixed_dictionaries(
    {role: st.builds(AccountState, st.sampled_from(["u", "v"]), st.sampled_from(["d1", "d2"])) for role in ROLES}
)
_NODES = st.lists(
    st.builds(NodeState, st.sampled_from("abcd"), st.sampled_from(["h1", "h2", "h3"]), st.just(3306)),
    min_size=1,
    unique_by=(lambda node: node.name, lambda node: node.address),
).map(tuple)
_CLUSTERS = st.lists(
    st.builds(
        ClusterState,
        st.sampled_from(["milan", "rome"]),
        st.sampled_from("ab"),
        st.sampled_from(["disabled", "verify_ca"]),
        st.sampled_from(["", "PEM"]),
        _ACCOUNTS,
        _NODES,
    ),
    unique_by=lambda cluster: cluster.name,
).map(tuple)
_LINKS = st.lists(
    st.builds(
        LinkState,
        st.just("payments"),
        st.just(LINK.clusters),
        st.sampled_from(["milan", "rome"]),
        st.just(""),
        st.booleans(),
    ),
    max_size=1,
).map(tuple)
_STATES = st.builds(RegistrationState, _CLUSTERS, _LINKS)


@examples(40)
@given(stored=_STATES, declared=_STATES)
def test_differences__applied__give_the_declared_state_and_then_there_are_none(
    stored: RegistrationState, declared: RegistrationState
) -> None:
    applied = stored
    for difference in differences(stored, declared, prunes=True):
        applied = _applied(applied, difference, declared)
    assert {_in_any_order(one) for one in declared.clusters} <= {_in_any_order(one) for one in applied.clusters}
    assert set(declared.links) <= set(applied.links)
    assert differences(applied, declared, prunes=True) == ()


def _in_any_order(cluster: ClusterState) -> tuple[object, ...]:
    accounts = tuple(sorted(cluster.accounts.items(), key=lambda one: one[0]))
    return cluster.name, cluster.site, cluster.tls_mode, cluster.tls_ca, accounts, frozenset(cluster.nodes)


def _applied(state: RegistrationState, one: Difference, declared: RegistrationState) -> RegistrationState:
    """The state after one difference; secrets come from the declared one, because no difference has them."""
    if one.kind is Kind.LINK:
        wanted = declared.link(one.name)
        old = state.link(one.name)
        assert wanted is not None
        new = wanted if old is None else replace(old, **{field.name: field.after for field in one.fields})
        return replace(state, links=(*(link for link in state.links if link.name != one.name), new))
    wanted_cluster, before = declared.cluster(one.cluster), state.cluster(one.cluster)
    assert wanted_cluster is not None
    changed = wanted_cluster if before is None else _changed_cluster(before, one, wanted_cluster)
    return replace(state, clusters=(*(c for c in state.clusters if c.name != one.cluster), changed))


def _changed_cluster(before: ClusterState, one: Difference, wanted: ClusterState) -> ClusterState:
    if one.kind is Kind.CLUSTER:
        ca = wanted.tls_ca if one.after("tls.ca") is not None else before.tls_ca
        return replace(
            before, site=one.after("site", before.site), tls_mode=one.after("tls.mode", before.tls_mode), tls_ca=ca
        )
    if one.kind is Kind.ACCOUNT:
        return replace(before, accounts={**before.accounts, one.name: wanted.accounts[one.name]})
    remaining = tuple(node for node in before.nodes if node.name != one.name)
    if one.operation is Operation.REMOVE:
        return replace(before, nodes=remaining)
    old = next((node for node in before.nodes if node.name == one.name), NodeState(one.name, "", 0))
    return replace(before, nodes=(*remaining, replace(old, **{field.name: field.after for field in one.fields})))
