"""What a distance does to commits, against what was measured."""
