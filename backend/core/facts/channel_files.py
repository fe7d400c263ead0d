"""Files of a channel on the disk of its replica."""

from __future__ import annotations

from backend.core.topology import ChannelFacts

_CLIENT = ("Master_SSL_Cert", "Master_SSL_Key", "SSL_CERTIFICATE", "SSL_KEY")
_COLUMNS = (
    *("Master_SSL_CA_File", "Master_SSL_CA_Path", "SSL_CA_FILE", "SSL_CA_PATH"),
    *_CLIENT,
    *("Master_SSL_Crl", "Master_SSL_Crlpath", "SSL_CRL_FILE", "SSL_CRL_PATH"),
)
"""As MariaDB and MySQL name them."""
TLS_FAILED = 2026
"""The I/O thread opened no TLS connection; among other reasons because it could not read a file."""


def tls_files(channel: ChannelFacts) -> list[str]:
    """Authority, certificate, key and revocation list that the channel names; none where it uses no TLS."""
    used = channel.options.get("Master_SSL_Allowed") or channel.options.get("SSL_ALLOWED") or ""
    return _named(channel, _COLUMNS) if used.upper() == "YES" else []


def has_client_certificate(channel: ChannelFacts) -> bool:
    """Whether the channel proves itself by a certificate of its replica."""
    return bool(tls_files(channel) and _named(channel, _CLIENT))


def files_remedy(replica: str, channel: ChannelFacts) -> str:
    """What to look at where no TLS connection opened, as the end of a sentence; blank for another error."""
    files = tls_files(channel) if channel.io_errno == TLS_FAILED else []
    return f". Check that the server of {replica} can read {', '.join(files)}; then resume the run" if files else ""


def _named(channel: ChannelFacts, columns: tuple[str, ...]) -> list[str]:
    return [path for column in columns if (path := channel.options.get(column))]
