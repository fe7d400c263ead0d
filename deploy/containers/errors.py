"""What can go wrong before a container runs."""


class ContainerError(Exception):
    """A part of the engine or an image is missing; the message says which and what to do."""


class NoEngineError(ContainerError):
    """No engine can run on this machine, for example in a sandbox that forbids what it needs."""
