"""Orphans of a link: found on the returned side, kept with their row images, shown, exported, planned with."""
