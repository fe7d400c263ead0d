"""A plan that creates channels: its options, and the link that it is offered for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.console import Caller, make_link


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"standby_data": "similar"}, "standby_data"),
        ({"channel_tls": "maybe"}, "channel_tls"),
        ({"channel_tls": "verify"}, "channel_ca"),
        ({"channel_tls": "verify", "channel_ca": "ca.pem"}, "channel_ca"),
        ({"channel_tls": "on", "channel_cert": "/etc/repl.pem"}, "channel_cert"),
        ({"channel_tls": "off", "channel_cert": "/etc/repl.pem", "channel_key": "/etc/repl.key"}, "channel_tls"),
        ({"channel_tls": "verify", "channel_ca": "/etc/ca.pem', MASTER_HOST='x"}, "channel_ca"),
        ({"backup_position": "395"}, "backup_position"),
    ],
)
def test_plan__option_of_a_bad_form__400_naming_the_field(
    operator: Caller, options: dict[str, Any], field: str
) -> None:
    answer = operator.post(f"/links/{make_link().id}/plans", {"kind": "create_channels", "options": options})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, f"options.{field}")
