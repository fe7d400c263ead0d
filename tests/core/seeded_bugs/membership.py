"""The safety rules of members that are not registered, or not any more, each taken out."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule, is_green

_MEMBERS, _CHECK = "facts.unregistered_members", "checks.members"


def _is_true(core: Copy, test: str, *given: Any) -> bool:
    return is_green(core, "facts.test_unregistered_members", test, *given)


def _refused(core: Copy) -> bool:
    checks = core["backend.core.plans.switchover"].SWITCHOVER_CHECKS
    return _is_true(core, "test_plan__member_not_registered__refused", checks, "a")


def _former_id_stays(core: Copy) -> bool:
    remembered = core["backend.core.facts.server_identity"].remembered_server_ids
    return 13 in remembered({"n_a3": 13}, {"n_a3": 14}, {"n_a3": 13}).values()


RULES = (
    Rule(
        "a_member_that_is_not_registered_refuses_plans",
        ((_CHECK, "        yield from _findings(cluster, refuses=True)\n", "        yield from ()\n"),),
        _refused,
    ),
    Rule(
        "an_arbitrator_is_no_member_to_fence",
        ((_MEMBERS, "if text and index not in recognised", "if index not in recognised"),),
        lambda core: _is_true(core, "test_members__an_arbitrator_more__none"),
    ),
    Rule(
        "a_silent_node_is_not_taken_for_a_stranger",
        ((_MEMBERS, "max(0, len(unrecognised) - len(silent))", "len(unrecognised)"),),
        lambda core: _is_true(core, "test_members__a_silent_node_at_its_own_address__none"),
    ),
    Rule(
        "a_member_that_joins_changes_the_facts",
        (("facts.fingerprint", "unregistered_members(cluster).least\n", "0\n"),),
        lambda core: _is_true(core, "test_fingerprint__member_joins__changed"),
    ),
    Rule(
        "no_fence_holds_over_a_member_that_joined",
        (("steps.sides.verify_fence", "        if unfenced:\n", "        if False:\n"),),
        lambda core: _is_true(core, "test_switchover__member_joins_before_the_fence_is_proven__reverted"),
    ),
    Rule(
        "the_id_of_a_replaced_server_guards_against_loops",
        (
            (
                "facts.server_identity",
                "    return {**known, **former, **observed}\n",
                "    return {**known, **observed}\n",
            ),
        ),
        _former_id_stays,
    ),
)
PREVENTS = {
    "a_member_that_is_not_registered_refuses_plans": "the old side accepts writes behind its fence, on a server unseen",
    "an_arbitrator_is_no_member_to_fence": "a cluster with an arbitrator has no plan any more",
    "a_silent_node_is_not_taken_for_a_stranger": "a hung node refuses the relocate that it makes necessary",
    "a_member_that_joins_changes_the_facts": "a run starts although a member joined that its plan does not know",
    "no_fence_holds_over_a_member_that_joined": "the other side opens while a member still accepts writes",
    "the_id_of_a_replaced_server_guards_against_loops": "what the replaced server wrote returns, and is applied twice",
}
