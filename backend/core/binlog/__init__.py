"""Reading binary and relay logs as event groups, in pages that production does not feel."""
