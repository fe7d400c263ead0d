"""The capacity of a cluster's line and pasted byte counters; what they mean is computed in `backend.core.bandwidth`."""
