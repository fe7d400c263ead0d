"""Files that a channel names, and what to look at where no TLS connection opened."""

from __future__ import annotations

from dataclasses import replace

from backend.core.facts.channel_files import TLS_FAILED, files_remedy, has_client_certificate, tls_files
from backend.core.positions import FilePosition
from tests.fakes.channel import FakeChannel

CERTIFIED = {"Master_SSL_CA_File": "/etc/ca.pem", "Master_SSL_Cert": "/etc/r.pem", "Master_SSL_Key": "/etc/r.key"}


def test_files__of_a_channel_with_tls__told_where_no_connection_opened() -> None:
    made = FakeChannel("", ("10.1.0.11", 3306), "repl", FilePosition("binlog.000001", 4), ()).facts()
    channel = replace(made, options={**CERTIFIED, "Master_SSL_Allowed": "Yes"})
    assert tls_files(channel) == list(CERTIFIED.values())
    assert has_client_certificate(channel)
    assert files_remedy("b2", channel) == ""
    remedy = files_remedy("b2", replace(channel, io_errno=TLS_FAILED))
    assert remedy == ". Check that the server of b2 can read /etc/ca.pem, /etc/r.pem, /etc/r.key; then resume the run"


def test_files__of_a_channel_without_tls__none_are_used() -> None:
    made = FakeChannel("", ("10.1.0.11", 3306), "repl", FilePosition("binlog.000001", 4), ()).facts()
    channel = replace(made, options={**CERTIFIED, "Master_SSL_Allowed": "No"}, io_errno=TLS_FAILED)
    assert (tls_files(channel), has_client_certificate(channel), files_remedy("b2", channel)) == ([], False, "")
