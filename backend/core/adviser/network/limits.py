"""The thresholds of the verdict. Factors were measured in the lab, limits are a choice; the page names both."""

from __future__ import annotations

COMMIT_ROUND_TRIPS = 1.04
"""A commit of one writer over two sites, in round trips, with large send windows."""
TAIL_COMMITS = 2.0
"""How many times an accepted commit one in twenty may take."""
LARGE_WRITE_SET_BYTES = 512 * 1024
LARGE_WRITE_SET_COMMITS = 20.0
"""While a large write-set travels, later ones wait behind it; this many accepted commits they may wait."""
SMALL_WRITE_SET_BYTES = (16 * 1024, 128 * 1024)
LOSS_NOTED_PERCENT = 0.1
MAX_LOSS_PERCENT = 1.0
"""At 1 % the p95 of a commit doubled to trebled, and windows of 512 gained nothing."""
LEAST_PACKETS = 300
"""None lost of 300 means, with 95 % confidence, less than 1 % lost."""
LOCAL_ROUND_TRIP_MS = 2.0
LOCAL_MBIT_S = 500.0
WIRE_FACTOR = 1.18
"""Bytes on the wire for a byte of write-sets, for each node that gets its own copy."""
LINE_SHARE = 0.5
"""State transfers and bursts need the rest: an SST on the same line doubled the time of a commit."""
