"""Network addresses, grouped as limits and locks count them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network
ONE_CUSTOMER = 64  # bits of the IPv6 prefix that a provider assigns to one customer


def place_of_address(address: str) -> str:
    """The IPv4 address, or the IPv6 network of one customer. Anything else is returned as it is.

    >>> [place_of_address(each) for each in ("203.0.113.7", "::ffff:203.0.113.7", "2001:db8::1:2:3", "")]
    ['203.0.113.7', '203.0.113.7', '2001:db8::/64', '']
    """
    found = _read(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, ONE_CUSTOMER), strict=False))
    return str(found) if found else address


def _read(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def networks(names: str) -> tuple[Network, ...]:
    """Addresses and networks from a comma-separated list; ValueError for anything else.

    >>> networks("127.0.0.1, 10.0.0.0/8")
    (IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8'))
    """
    return tuple(ip_network(each.strip()) for each in names.split(",") if each.strip())


def in_networks(address: str, networks: tuple[Network, ...]) -> bool:
    """Whether the address is in one of the networks."""
    found = _read(address) if networks else None
    return found is not None and any(found in each for each in networks if each.version == found.version)
