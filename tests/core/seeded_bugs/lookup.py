"""The safety rules of a lookup: what it says of a side, and what it does not show."""

from __future__ import annotations

from typing import Any

from tests.core.seeded_bugs.mutants import Copy
from tests.core.seeded_bugs.rule import Rule

MODEL, TRANSACTIONS, TEXT = "lookup.model", "lookup.transactions", "binlog.statement_text"


def _tests(core: Copy) -> Any:
    return core["tests.core.lookup.test_lookup"]


def _standby(core: Copy, site: Any, **criteria: Any) -> str:
    tests = _tests(core)
    found = site.look_up(tests.Criteria(**criteria)).transactions
    return str(found[-1].sides[1].held)


def _begins_too_late(core: Copy) -> bool:
    site = _tests(core).behind_by_one()
    site.logs["n_b1"]._created["mariadb-bin.000001"] = 2_001
    return _standby(core, site, text="a = 2") == "unknown"


def _twin(core: Copy) -> bool:
    """Of two equal transactions the other side has one, under a number of its own."""
    tests = _tests(core)
    site = tests.behind_by_one()
    tests.twins(site, numbers=(800, 801))
    log = site.logs["n_b1"]
    file = "mariadb-bin.000001"
    log._files[file] = [event for event in log._files[file] if event.end <= log.order[-2].end.offset]
    found = site.look_up(tests.Criteria(xid=71), cluster_id=site.facts.active.id).transactions
    return str(found[0].sides[1].held) == "unknown"


def _hash(core: Copy) -> bool:
    return "*AB" not in core["backend.core.binlog.statement_text"].without_secrets("SET PASSWORD FOR u = '*AB'")


RULES = (
    Rule(
        "a_log_that_begins_too_late_never_says_not_applied",
        ((MODEL, "return scan.since_s + slack_s <= at_s", "return True"),),
        _begins_too_late,
    ),
    Rule(
        "equal_transactions_of_a_second_are_distinguished_by_a_number",
        ((TRANSACTIONS, "return has_witness and len(equal) == len(set(equal))", "return True"),),
        _twin,
    ),
    Rule(
        "statements_about_accounts_show_no_password",
        ((TEXT, """_LITERAL.sub("'***'", statement[secret.end() :])""", "statement[secret.end() :]"),),
        _hash,
    ),
)

PREVENTS = {
    "a_log_that_begins_too_late_never_says_not_applied": "a transaction that was applied is run again by hand",
    "equal_transactions_of_a_second_are_distinguished_by_a_number": (
        "one that the other side lacks is called applied, because an equal one was"
    ),
    "statements_about_accounts_show_no_password": "operators and the console's tokens read password hashes of accounts",
}
