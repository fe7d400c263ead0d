"""The change calendar: what it refuses, and how it is overridden."""
