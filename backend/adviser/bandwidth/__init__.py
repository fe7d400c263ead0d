"""The capacity of a cluster's line and pasted byte counters; what they mean: `backend.core.adviser.bandwidth`."""
