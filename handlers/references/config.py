"""What may be fetched, how much of it, and for how long?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network

Network = IPv4Network | IPv6Network


class FetchError(Exception):
    """A reference can't be fetched. The message says why, without a stop."""


@dataclass(frozen=True, slots=True)
class ReferenceConfig:
    """How references are fetched.

    Attributes:
        allow: Networks that may be fetched from although they are private or reserved: ``("10.1.0.0/16",)``. A single
            address is one too. Nothing else is taken off the check, and no name is.
        refs: Addresses by the names that the host has for them. An agent may name one in a URL's place.
        max_bytes: The largest payload.
        seconds: The longest that a fetch may take with all its redirects, by the host's clock.
        redirects: How many redirects are followed.
        fresh_seconds: How long a payload answers from the cache before its server is asked whether it still holds.
        cache_bytes: How much the cache holds; what was fetched longest ago goes first. 0 for no cache.

    Raises:
        ValueError: What ``allow`` holds is no network.
    """

    allow: tuple[str, ...] = ()
    refs: Mapping[str, str] = field(default_factory=dict)
    max_bytes: int = 20 * 1024 * 1024
    seconds: float = 60.0
    redirects: int = 5
    fresh_seconds: float = 300.0
    cache_bytes: int = 200 * 1024 * 1024
    networks: tuple[Network, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "networks", tuple(ip_network(network) for network in self.allow))
