"""Orphaned transactions: groups that a lost side wrote and the survivor never received; shown, replayed or undone.

Row images are read as bytes of the binary log; the output is an exact SQL literal or a refusal by name.
"""
