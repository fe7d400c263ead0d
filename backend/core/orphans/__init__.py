"""Orphans: groups a lost side wrote that the other side never received; shown, replayed forward, or undone.

Row images come as bytes of the binary log; everything that leaves is an exact SQL literal or a refusal by name.
"""
