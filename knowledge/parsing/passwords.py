"""What is said about files that need a password. A password itself never stands in a message."""

from __future__ import annotations


def encrypted() -> str:
    """The reason where no password was given."""
    return "is encrypted: give its password with --password"


def none_opens(count: int) -> str:
    """The reason where passwords were given and all were wrong."""
    if count == 1:
        return "is encrypted: the password given does not open it"
    return f"is encrypted: none of the {count} passwords given opens it"


def locked(count: int) -> str:
    """The reason for either case, by how many passwords were given."""
    return none_opens(count) if count else encrypted()
