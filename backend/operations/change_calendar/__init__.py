"""Change windows and freezes: when planned operations of links may start."""
