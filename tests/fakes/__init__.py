"""Small fakes that implement the core's ports: logs, journal, clock, and two clusters with their channels."""
