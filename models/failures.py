"""Sorts what can go wrong between us and a model endpoint by what to do next."""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import urlsplit

from ..errors import ModelError, ModelUnavailableError
from .wire import RunawayReplyError

_REFUSES_KEY = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_TRY_LATER = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})
_LONGEST_REASON = 300
UNREADABLE_REPLY = (
    TypeError, KeyError, AttributeError, IndexError, ValueError, OverflowError, RecursionError, MemoryError,
)  # fmt: skip
"""What the client libraries raise on a reply that is not of the protocol (HTML, no choices, broken JSON)."""


class RefusedRequestError(ModelError):
    """The endpoint does not take this kind of request (a response format, tools); another kind may work."""


class Failure(NamedTuple):
    """One failed attempt.

    `transient`: the same attempt may work later. `unwell`: speaks against the endpoint's health.
    `charged`: the endpoint may have worked for it. `retry_after`: seconds that the endpoint asked to wait.
    """

    error: ModelError
    transient: bool = False
    unwell: bool = False
    charged: bool = False
    retry_after: float = 0.0


def endpoint_name(base_url: str) -> str:
    """Host and port of an address, without the user and password that it may hold."""
    parts = urlsplit(base_url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.hostname}:{port}"


def _causes(error: BaseException) -> list[BaseException]:
    chain = [error]
    while (cause := chain[-1].__cause__) is not None:
        chain.append(cause)
    return chain


class FailureSorter:
    """Turns exceptions of the client library into failures whose messages never hold the key.

    Args:
        base_url: the endpoint's address.
        model: the model's name there.
        secret: the key, removed from whatever the endpoint says.
    """

    def __init__(self, base_url: str, model: str, secret: str) -> None:
        self._where = f"model {model!r} at {endpoint_name(base_url)}"
        self._secret = secret

    def too_slow(self, seconds: float) -> Failure:
        """No complete reply within the time left."""
        reason = f"no complete reply within {seconds:.3g} seconds"
        return Failure(self._unavailable(reason), unwell=True, charged=True)

    def runaway(self, error: RunawayReplyError) -> Failure:
        """The reply was cut because it did not end."""
        return Failure(ModelError(f"{self._where}: {error}"), unwell=True, charged=True)

    def unreadable(self, error: Exception) -> Failure:
        """The endpoint answered, but not in the protocol."""
        reason = f"the reply is not of the OpenAI protocol ({type(error).__name__}); is the address right?"
        return Failure(ModelError(f"{self._where}: {reason}"), charged=True)

    def connection(self, error: Exception) -> Failure:
        """No connection, or one that broke off."""
        chain = _causes(error)
        never_connected = any(type(cause).__name__ == "ConnectError" for cause in chain)
        cause = chain[-1]
        reason = f"no connection ({self._clean(str(cause)) or type(cause).__name__}); is it running?"
        return Failure(self._unavailable(reason), transient=True, unwell=True, charged=not never_connected)

    def status(self, code: int, said: str, retry_after: float, probing: bool) -> Failure:
        """An HTTP error; `probing` where the request used a feature that the endpoint may lack."""
        if code in _REFUSES_KEY:  # endpoints echo parts of the key here: what they say is not repeated
            return Failure(ModelError(f"{self._where}: HTTP {code}, the key is missing or not accepted"))
        reason = f"HTTP {code}: {self._clean(said)}"
        if code in _TRY_LATER:
            return Failure(self._unavailable(reason), transient=True, unwell=True, retry_after=retry_after)
        if probing:
            return Failure(RefusedRequestError(f"{self._where}: {reason}"))
        if code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return Failure(self._unavailable(reason), transient=True, unwell=True, retry_after=retry_after)
        return Failure(ModelError(f"{self._where}: {reason}"))

    def resting(self, seconds: float) -> ModelUnavailableError:
        """The circuit breaker is open."""
        return self._unavailable(f"failed repeatedly, not asked again for {seconds:.0f} seconds")

    def too_long(self, tokens: int, window: int) -> ModelError:
        """The prompt and its reply do not fit into the model's window."""
        return ModelError(f"{self._where}: prompt and reply of about {tokens:,} tokens exceed its window of {window:,}")

    def _unavailable(self, reason: str) -> ModelUnavailableError:
        return ModelUnavailableError(f"{self._where}: {reason}")

    def _clean(self, said: str) -> str:
        said = " ".join(said.split())
        if self._secret:
            said = said.replace(self._secret, "***")
        return said[:_LONGEST_REASON]
