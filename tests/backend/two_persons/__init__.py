"""Two persons are two persons: at the worker, among administrators, at the shell."""
