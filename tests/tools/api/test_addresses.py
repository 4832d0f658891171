"""Which addresses may be reached, in every spelling that leads to them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.tools.api.addresses import ForbiddenAddressError, is_allowed, reachable_addresses

PRIVATE = ("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "::1", "fc00::1", "::ffff:192.168.0.1")
NEVER = (
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "100.100.100.200",
    "fd00:ec2::254",
    "fe80::1",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "ff02::1",
    "255.255.255.255",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_reached_only_where_they_are_declared(address: str) -> None:
    assert not is_allowed(ip_address(address), allow_private=False)
    assert is_allowed(ip_address(address), allow_private=True)


@pytest.mark.parametrize("address", NEVER)
def test_no_setting_opens_link_local_and_metadata_addresses(address: str) -> None:
    assert not is_allowed(ip_address(address), allow_private=False)
    assert not is_allowed(ip_address(address), allow_private=True)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_public_addresses_are_reached(address: str) -> None:
    assert is_allowed(ip_address(address), allow_private=False)


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost"])
def test_other_spellings_of_this_machine_are_seen_through(host: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        reachable_addresses(host, 80, allow_private=False)


@given(number=st.integers(0, 2**32 - 1))
def test_an_address_inside_another_is_judged_like_itself(number: int) -> None:
    plain = is_allowed(IPv4Address(number), allow_private=False)
    for around in (0xFFFF << 32, 0x0064FF9B << 96):
        assert is_allowed(IPv6Address(around | number), allow_private=False) is plain
