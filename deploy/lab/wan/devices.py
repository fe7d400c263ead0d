"""TUN devices inside network namespaces. A device lasts as long as its router, so a dead router leaves none behind."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.lab.wan.addresses import NAMESPACES

_CLONE_NEWNET = 0x40000000
_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_PR_SET_TIMERSLACK = 29
_TX_DROPPED = 11
_libc = ctypes.CDLL(None, use_errno=True)


def _setns(handle: int) -> None:
    if _libc.setns(handle, _CLONE_NEWNET):
        number = ctypes.get_errno()
        raise OSError(number, f"setns: {os.strerror(number)}")


def enter(namespace: str) -> None:
    """Move the calling thread into a namespace; its sockets are opened there from now on."""
    handle = os.open(NAMESPACES / namespace, os.O_RDONLY)
    try:
        _setns(handle)
    finally:
        os.close(handle)


@contextmanager
def within(namespace: str) -> Iterator[None]:
    """The calling thread inside a namespace for a while; an empty name is the one it is in."""
    own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        if namespace:
            enter(namespace)
        yield
    finally:
        _setns(own)
        os.close(own)


def open_tun(namespace: str, device: str) -> int:
    """A non-blocking handle on a new device: read what the namespace sends, write what it receives."""
    with within(namespace):
        handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            request = struct.pack("16sH22x", device.encode(), _IFF_TUN | _IFF_NO_PI)
            fcntl.ioctl(handle, _TUNSETIFF, request)
        except OSError:
            os.close(handle)
            raise
    return handle


def dropped(namespace: str, device: str) -> int:
    """Packets that the kernel dropped because they were not read from the device in time."""
    with within(namespace):
        lines = Path("/proc/thread-self/net/dev").read_text().splitlines()
    for line in lines:
        name, _, figures = line.partition(":")
        if name.strip() == device:
            return int(figures.split()[_TX_DROPPED])
    return 0


def precise_timers() -> None:
    """Wake-ups of this process at the time they are asked for, not up to 50 microseconds after it."""
    _libc.prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
