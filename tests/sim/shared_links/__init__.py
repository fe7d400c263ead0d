"""Monitors that share the links of a console: they die, freeze and are cut off, and its database is lost."""
