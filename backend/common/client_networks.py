"""The networks by which a client without a sign-in is counted."""

from __future__ import annotations

import ipaddress


def networks_of(source_ip: str) -> tuple[str, str]:
    """The address, of IPv6 the /64 that one host may have to itself; and the wider one (/24, /48) around it."""
    try:
        address = ipaddress.ip_address(source_ip.partition("%")[0])
    except ValueError:
        return source_ip, source_ip
    if address.version == 6 and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.version == 4:
        return str(address), str(ipaddress.ip_network((address, 24), strict=False))
    near, wide = (str(ipaddress.ip_network((address, bits), strict=False)) for bits in (64, 48))
    return near, wide
