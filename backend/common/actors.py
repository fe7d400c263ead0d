"""Names under which Hawser acts automatically; no user can have one of them."""

from __future__ import annotations

AUTOMATION = "automation"
SCHEDULE = "schedule"
ANONYMOUS = "anonymous"
"""A caller who has not signed in. The user name that such a caller sends never becomes an actor."""
NETWORK_PROBE = "network-probe"
"""A database host that sends the result of a measurement with a token."""
PROVIDER = "identity-provider"
"""The provider or directory whose groups decide on roles."""
RESERVED = frozenset({AUTOMATION, SCHEDULE, ANONYMOUS, NETWORK_PROBE, PROVIDER})
