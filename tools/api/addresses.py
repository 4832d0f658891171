"""Where calls may go: declared hosts over an encrypted line, and no address of a private network unless declared."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from ...configs.api_settings import ApiSettings
from ...errors import SettingsError

Address = IPv4Address | IPv6Address

_TRANSLATED = ip_network("64:ff9b::/96")
"""IPv4 behind NAT64 (RFC 6052): the last four bytes are the address that is reached."""
_METADATA = frozenset(
    ip_address(text) for text in ("169.254.169.254", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254")
)
"""Where clouds tell machines their credentials (AWS, Azure, Google, Alibaba, Oracle): refused also where private
addresses are declared."""

_LOCAL = tuple(ip_network(text) for text in ("fec0::/10", "192.0.0.0/24", "192.88.99.0/24", "3fff::/20"))
"""Not of the public internet, though Python takes (parts of) them for it: site-local (RFC 3879), protocol assignments
(RFC 6890), relays of 6to4 (RFC 7526), documentation (RFC 9637)."""


class ForbiddenAddressError(OSError):
    """A name leads to an address that may not be reached."""


def checked_base(url: str, settings: ApiSettings, place: str) -> str:
    """A base URL that may be called, without a slash at its end.

    Raises:
        SettingsError: saying what is wrong with it.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise SettingsError(f"{place}: the base URL cannot be understood ({error})") from error
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError(f"{place}: no full base URL (https://host/…): give `base_url` in the settings")
    if any(ord(character) <= 0x20 or character == "\\" for character in url):
        raise SettingsError(f"{place}: the base URL holds a blank or a backslash")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment or "@" in parts.netloc:
        raise SettingsError(f"{place}: the base URL holds a user, a query or a fragment: send secrets as `headers`")
    if settings.base_url is None and settings.hosts and host.lower() not in {one.lower() for one in settings.hosts}:
        raise SettingsError(f"{place}: host {host!r} is not among the declared `hosts`")
    if parts.scheme == "http" and not (settings.allow_http or _is_this_machine(host)):
        raise SettingsError(f"{place}: {host} would be called unencrypted: use https, or set `allow_http`")
    return url.rstrip("/")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def reachable_addresses(host: str, port: int, *, allow_private: bool) -> tuple[str, ...]:
    """The addresses behind a host, every one of them checked; a connection goes to one of these and to no name.

    Raises:
        ForbiddenAddressError: one of them may not be reached.
        OSError: there is no such host.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
    for text in addresses:
        if not is_allowed(ip_address(text), allow_private=allow_private):
            raise ForbiddenAddressError(f"{host} leads to an address that may not be reached")
    return addresses


def is_allowed(address: Address, *, allow_private: bool) -> bool:
    """Whether an address may be reached; an IPv4 address inside an IPv6 one is looked at itself."""
    inner = _inside(address)
    if inner is not None:
        return is_allowed(inner, allow_private=allow_private)
    plain = address if not getattr(address, "scope_id", None) else ip_address(int(address))
    if plain in _METADATA or plain.is_link_local or plain.is_multicast or plain.is_unspecified:
        return False
    if isinstance(plain, IPv4Address) and plain.is_reserved:
        return False
    if any(plain in network for network in _LOCAL):
        return allow_private
    if allow_private:
        return plain.is_global or plain.is_loopback or plain.is_private or _is_shared(plain)
    return plain.is_global and not plain.is_reserved


def _is_shared(address: Address) -> bool:
    return address in ip_network("100.64.0.0/10")


def _inside(address: Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for."""
    if isinstance(address, IPv4Address):
        return None
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    # ::a.b.c.d, which was given up long ago, but still reaches IPv4 on some systems.
    if 1 < int(address) <= 0xFFFFFFFF:
        return IPv4Address(int(address))
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour
