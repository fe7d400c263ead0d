"""Orphaned transactions of a link: found on the returned side, stored with their row images, shown and exported."""
