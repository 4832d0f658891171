"""Connections to addresses that were checked, which end when a call's time is over."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable
from typing import Any

import httpcore

from .addresses import reachable_addresses


class CheckedBackend(httpcore.NetworkBackend):
    """Connects to a checked address of a host, never to its name: a name that is resolved again may lead elsewhere.

    Args:
        allow_private: whether this machine and private networks may be reached.
        ends_at: when the call's time is over, by `time.monotonic`.
    """

    def __init__(self, *, allow_private: bool, ends_at: float) -> None:
        self._inner = httpcore.SyncBackend()
        self._allow_private = allow_private
        self._ends_at = ends_at

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address that answers.

        Raises:
            ForbiddenAddressError: the host has an address that may not be reached.
            httpcore.ConnectError: there is no such host, or none of its addresses answers.
        """
        addresses = reachable_addresses(host, port, allow_private=self._allow_private)
        error: Exception = httpcore.ConnectError("no address")
        for address in addresses:
            try:
                stream = self._inner.connect_tcp(
                    address, port, _left(self._ends_at, timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
            else:
                return _TimedStream(stream, self._ends_at)
        raise error


class _TimedStream(httpcore.NetworkStream):
    """A connection on which no wait goes beyond the end of the call: a server that sends drop by drop gains nothing."""

    def __init__(self, inner: httpcore.NetworkStream, ends_at: float) -> None:
        self._inner = inner
        self._ends_at = ends_at

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(self._ends_at, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(self._ends_at, timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, _left(self._ends_at, timeout))
        return _TimedStream(inner, self._ends_at)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left(ends_at: float, timeout: float | None) -> float:
    left = ends_at - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time of the call is over")
    return left if timeout is None else min(left, timeout)
