"""A query of an earlier poll that may still run: nothing is sent beside it that the server would hold up, too."""

from __future__ import annotations

from dataclasses import dataclass, field

from backend.gateway.polling.poll import Asked


@dataclass
class Answering:
    """Stands for a session with a MariaDB server."""

    left_behind: tuple[int, str] | None
    joins: bool = True
    server_version: str = "10.11.8-MariaDB-log"
    first_answer_s: float = 0.001
    sent: list[list[str]] = field(default_factory=list)

    def run_joined(self, statements: list[str], *, timeout_s: float) -> list[list[dict[str, object]]]:
        """All are answered."""
        self.sent.append(statements)
        return [[] for _ in statements]


def packets_of_a_poll(left_behind: tuple[int, str] | None) -> int:
    """How many packets of queries sent together a poll begins with."""
    session = Answering(left_behind)
    Asked(session, deadline=float("inf")).ask_ahead(files=True)  # type: ignore[arg-type]
    return len(session.sent)


def test_poll__nothing_was_abandoned__all_queries_in_one_packet() -> None:
    assert packets_of_a_poll(None) == 1


def test_poll__query_of_an_earlier_one_may_still_run__not_sent_again_with_the_others() -> None:
    assert packets_of_a_poll((7, "SHOW ALL SLAVES STATUS")) == 0
