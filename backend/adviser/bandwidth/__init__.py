"""The capacity of a cluster's line; what it means: `backend.core.adviser.bandwidth`."""
