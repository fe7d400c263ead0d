"""Each rule of a release, taken out: the test that guards it turns red."""

from __future__ import annotations

import pytest

from tests.backend.seeded_bugs.ordinary import ordinary
from tests.backend.seeded_bugs.removing import taken_out
from tests.backend.seeded_bugs.rule import OuterRule

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

RED = (AssertionError, pytest.fail.Exception)
ON_TREE, ON_CONTENTS, ON_BILLS = (f"tests.deploy.test_release_{name}" for name in ("tree", "contents", "bills"))
RULES = (
    OuterRule(
        "a_dirty_tree_is_no_release",
        "deploy.release.__main__",
        "            require_clean(tree)",
        "            pass",
        f"{ON_TREE}::test_command__dirty_tree__says_so_and_builds_nothing",
        "an archive is published that no commit describes",
    ),
    OuterRule(
        "advisories_are_asked_for_before_a_release",
        "deploy.release.__main__",
        "        if not is_for_tests:\n            advisories",
        "        if False:\n            advisories",
        f"{ON_TREE}::test_command__advisory_or_no_answer__says_so_and_builds_nothing",
        "a release is published with a package whose vulnerability is known",
    ),
    OuterRule(
        "no_answer_is_no_clean_answer",
        "deploy.release.advisories",
        "    if answer.unanswered:",
        "    if False:",
        "tests.deploy.test_advisories::test_release__part_of_the_answer_missing__refused_whatever_is_accepted",
        "a release made without a network counts as audited",
    ),
    OuterRule(
        "an_advisory_is_accepted_by_its_own_id",
        "deploy.release.advisories",
        "if not set(one.names) & accepted.keys()]",
        "if not accepted]",
        "tests.deploy.test_advisories::test_release__advisory_that_nobody_accepted__refused",
        "one accepted advisory lets all others through",
    ),
    OuterRule(
        "a_new_file_makes_a_tree_dirty",
        "deploy.release.tree",
        "--untracked-files=all",
        "--untracked-files=no",
        f"{ON_TREE}::test_command__dirty_tree__says_so_and_builds_nothing",
        "a forgotten module is in the archive and in no commit",
    ),
    OuterRule(
        "what_git_ignores_stays_out",
        "deploy.release.tree",
        '"--exclude-standard", ',
        "",
        f"{ON_CONTENTS}::test_archive__a_secret_beside_the_compose_file__stays_out",
        "the secrets of the one who builds are published",
    ),
    OuterRule(
        "a_part_that_is_not_there_is_refused",
        "deploy.release.contents",
        "    if missing:",
        "    if False:",
        f"{ON_TREE}::test_entries__a_part_that_is_not_there__refused_with_its_name",
        "an archive without its units or settings is published",
    ),
    OuterRule(
        "an_archive_has_sorted_names",
        "deploy.release.archive",
        "sorted(entries)",
        "entries",
        f"{ON_CONTENTS}::test_write_archive__other_order_name_and_folder__same_bytes",
        "two builds of one commit differ, and it is unknown why",
    ),
    OuterRule(
        "a_bill_that_breaks_its_schema_is_refused",
        "deploy.release.materials",
        "    if error is not None:",
        "    if False:",
        f"{ON_BILLS}::test_bill__that_breaks_the_schema__refused",
        "a bill is published that no tool reads",
    ),
    OuterRule(
        "a_folder_with_other_files_is_left_alone",
        "deploy.release.build",
        "    if out.exists() and",
        "    if False and",
        f"{ON_TREE}::test_build__folder_with_other_files__refused_and_left_alone",
        "--out with a wrong folder removes what is in it",
    ),
)  # fmt: skip


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.name) for rule in RULES])
def test_rule__taken_out__its_ordinary_test_is_red(rule: OuterRule, request: pytest.FixtureRequest) -> None:
    test, given = ordinary(rule, request)
    test(**given)
    with taken_out(rule), pytest.raises((*RED, FileNotFoundError, KeyError)):
        test(**given)
