"""Which addresses may be fetched from."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address, ip_network

import pytest

from toolroute.handlers.references.addresses import addresses_of, allowed, system_resolve
from toolroute.handlers.references.config import FetchError, ReferenceConfig

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "2606:4700:4700::1111",
    "2a00:1450::1",
    "64:ff9b::101:101",
]
REFUSED = [
    "0.0.0.1", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255", "168.63.129.16",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378::1", "2001:10::1", "2001:db8::1",
    "2002:7f00:1::1", "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%lo", "fec0::1",
    "ff02::1", "ff0e::1",
]  # fmt: skip  # one line for many


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_fetched_from(address: str) -> None:
    assert allowed(ip_address(address), ())


@pytest.mark.parametrize("address", REFUSED)
def test_those_that_are_not_public_may_not(address: str) -> None:
    assert not allowed(ip_address(address), ())


def test_the_configuration_allows_its_networks_and_no_others() -> None:
    networks = ReferenceConfig(allow=("10.1.0.0/16", "::1")).networks
    for address in ("10.1.2.3", "::1", "64:ff9b::a01:203"):
        assert allowed(ip_address(address), networks)
    for address in ("10.2.0.1", "::2", "::ffff:10.1.2.3", "127.0.0.1"):
        assert not allowed(ip_address(address), networks)
    with pytest.raises(ValueError, match="has host bits set"):
        ReferenceConfig(allow=("10.1.2.3/8",))


def test_no_special_network_is_half_covered() -> None:
    for network in (
        "10.0.0.0/8",
        "127.0.0.0/8",
        "172.16.0.0/12",
        "169.254.0.0/16",
        "fc00::/7",
        "fe80::/10",
        "ff00::/8",
    ):
        whole = ip_network(network)
        assert not allowed(whole[0], ())
        assert not allowed(whole[-1], ())


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "localhost", "::1"]
)
def test_a_loopback_address_in_any_spelling_is_refused(host: str) -> None:
    with pytest.raises(FetchError, match="is private or reserved, and this host's configuration doesn't allow"):
        asyncio.run(addresses_of(host, 80, (), system_resolve))


def test_a_name_with_one_private_address_among_public_ones_is_refused() -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["1.1.1.1", "10.0.0.1"]

    with pytest.raises(FetchError, match=r"10\.0\.0\.1, the address of 'both\.example', is private"):
        asyncio.run(addresses_of("both.example", 80, (), resolve))


@pytest.mark.parametrize("found", [[], ["nonsense"], OSError("down"), UnicodeError("label too long")])
def test_a_name_that_has_no_address_is_told(found: list[str] | Exception) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        if isinstance(found, Exception):
            raise found
        return found

    with pytest.raises(FetchError, match=r"the host 'none\.example' can't be found"):
        asyncio.run(addresses_of("none.example", 80, (), resolve))
