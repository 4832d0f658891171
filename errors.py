"""What can go wrong, sorted by what happens next.

VeriloopError
├── UsageError            the caller asked for something impossible: change the call
│   ├── SettingsError     a setting is unknown, out of range or contradicts another
│   └── CalculationError  an expression cannot be computed: write it differently
├── InputFileError        one file cannot be read: report it, go on with the rest
├── LibraryError          the library cannot serve: nothing was changed
│   ├── LibraryBusyError  another process is writing: wait, then try again
│   └── LibraryFormatError  made by a newer version or damaged: upgrade or restore
├── MissingExtraError     an optional part is not installed: install the named extra
├── ModelError            a model did not answer usefully: the rules take over
│   └── ModelUnavailableError  unreachable, overloaded or too slow: trying later may help
├── InvalidPlanError      a plan that cannot run: repaired once, then the rules plan
└── BudgetExceededError   the next call does not fit in what is left: finish with what there is
"""

from __future__ import annotations

from functools import partial


class VeriloopError(Exception):
    """Base of every error that this package raises on purpose; the message is fit for a user."""


class UsageError(VeriloopError):
    """The call itself is wrong (an unknown option, an empty question)."""


class SettingsError(UsageError):
    """A setting is unknown, out of range, or contradicts another."""


class CalculationError(UsageError):
    """An expression cannot be read or computed; the message names the part and what to write instead.

    Args:
        english: the message.
        kind: of the fault, the same in every language.
        chinese: the message in Chinese.
    """

    def __init__(self, english: str, *, kind: str = "", chinese: str = "") -> None:
        super().__init__(english)
        self.kind = kind
        self.chinese = chinese

    def __reduce__(self) -> tuple[object, ...]:
        """Survives pickling with its named arguments."""
        return partial(CalculationError, kind=self.kind, chinese=self.chinese), (str(self),)


class InputFileError(VeriloopError):
    """One input file cannot be read; the others still can.

    Args:
        path: the file as the user named it.
        reason: why, and what to do about it, in one sentence without the file name.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class LibraryError(VeriloopError):
    """The library on disk cannot do what was asked; nothing was changed."""


class LibraryBusyError(LibraryError):
    """Another process holds the writer's lock."""


class LibraryFormatError(LibraryError):
    """The library file is damaged or was made by a newer version."""


class MissingExtraError(VeriloopError):
    """An optional dependency is not installed.

    Args:
        feature: what the user wanted to do.
        extra: the extra of this package that brings it.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(feature, extra)
        self.feature = feature
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.feature} needs an optional part: pip install 'veriloop[{self.extra}]'"


class ModelError(VeriloopError):
    """A model gave no usable reply, and asking again the same way would not help."""


class ModelUnavailableError(ModelError):
    """A model endpoint is unreachable, overloaded or slower than the time left."""


class InvalidPlanError(VeriloopError):
    """A plan that cannot run, such as one of too many sub-tasks; the message names what is wrong, for its repair."""


class BudgetExceededError(VeriloopError):
    """A call does not fit in what is left of the run's budget.

    Args:
        kind: ``tokens``, ``steps`` or ``seconds``.
        value: what the run would have reached.
        limit: what it may reach.
    """

    def __init__(self, kind: str, value: float, limit: float) -> None:
        super().__init__(kind, value, limit)
        self.kind = kind
        self.value = value
        self.limit = limit

    def __str__(self) -> str:
        return f"budget exceeded: {self.kind} would reach {self.value:g}, the limit is {self.limit:g}"
