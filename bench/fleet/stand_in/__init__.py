"""Servers that answer a monitor's poll over the wire as a recorded node did, with positions that move."""
