"""Which addresses may be fetched from, and which are those of a host?

A name is resolved once and its addresses are checked; the connection then goes to a checked address, never to the name
again. So a name that changes its address in between (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from ...engine.table.shown import shown
from .config import FetchError, Network

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Iterable[str]]]

# IANA's special-purpose registries, spelled out: what Python's `is_global` holds for special differs by release.
_REFUSED: Final = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by customers of one provider
        "127.0.0.0/8",
        "168.63.129.16/32",  # public by its number, but a cloud's own service within each machine
        "169.254.0.0/16",  # link-local, and where clouds hand out a machine's credentials
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",
        "2001::/23",  # protocol assignments, Teredo among them: it has an IPv4 address within
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address within
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
# All else of IPv6 is local, reserved, multicast, or stands for an IPv4 address, such as ::ffff:127.0.0.1.
_PUBLIC_IPV6: Final = IPv6Network("2000::/3")
# Where a network has IPv6 alone, IPv4 hosts have such addresses: they stand for what is in their last bits.
_NAT64: Final = IPv6Network("64:ff9b::/96")


def allowed(address: Address, networks: Iterable[Network]) -> bool:
    """Whether an address may be fetched from: a public one may, and one of the configuration's networks."""
    if any(address in network for network in networks):
        return True
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return allowed(IPv4Address(int(address) & 0xFFFFFFFF), networks)
        if address not in _PUBLIC_IPV6:
            return False
    return not any(address in network for network in _REFUSED)


async def addresses_of(host: str, port: int, networks: Iterable[Network], resolve: Resolve) -> list[str]:
    """The addresses of a host, each of which may be fetched from; the one to try first is the first.

    Raises:
        FetchError: The host has none, or one that may not be fetched from: a host isn't half inside.
    """
    try:
        found = list(dict.fromkeys(await resolve(host, port)))
        addresses = [ip_address(text) for text in found]
    except (OSError, UnicodeError, ValueError) as error:
        raise FetchError(f"the host '{shown(host)}' can't be found") from error
    if not addresses:
        raise FetchError(f"the host '{shown(host)}' can't be found")
    for address in addresses:
        if not allowed(address, networks):
            what = "" if str(address) == host.strip("[]") else f", the address of '{shown(host)}',"
            raise FetchError(
                f"{address}{what} is private or reserved, and this host's configuration doesn't allow fetching from it"
            )
    return [str(address) for address in addresses]


async def system_resolve(host: str, port: int) -> list[str]:
    """The addresses that the machine's resolver has for a name, or for an address in any form that it understands."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
