"""Access: one token for each person, stored as keys derived from it and compared in constant time."""

import hmac
import secrets
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

LENGTH = 32  # bytes of chance in a token


class Role(StrEnum):
    """The roles of people, which determine what they may see."""

    OWNER = "owner"  # everything
    ANNOTATOR = "annotator"  # their own annotation task, and nothing else


class TokenHolder(NamedTuple):
    name: str
    role: Role
    task: str = ""
    session: str = ""  # content of their browser's cookie
    csrf: str = ""  # token that their changes must carry, because another site's page can't know it


def new_token() -> str:
    return secrets.token_urlsafe(LENGTH)


def key_of(token: str) -> bytes:
    """The stored key of a token, which identifies the token but can't be used to sign in."""
    return _key(_derived(token, "session"))


class Access:
    """The people with a token. Neither tokens nor the contents of cookies are stored here."""

    def __init__(self) -> None:
        self._people: list[tuple[bytes, TokenHolder]] = []

    def admit(self, token: str, name: str, role: Role, *, task: str = "") -> TokenHolder:
        """Register a person with their token.

        >>> access = Access()
        >>> person = access.admit("secret", "ana", Role.ANNOTATOR)
        >>> access.by_token("secret") == person, access.by_session(person.session) == person, access.by_token("x")
        (True, True, None)
        """
        self.admit_key(key_of(token), name, role, task=task)
        return _with_session(self._people[-1][1], _derived(token, "session"))

    def admit_key(self, key: bytes, name: str, role: Role, *, task: str = "") -> None:
        """Register a person by the key of their token."""
        self._people.append((key, TokenHolder(name, role, task)))

    def dismiss(self, name: str, *, task: str) -> None:
        """Remove an annotator, whose token stops working."""
        self._people = [(key, each) for key, each in self._people if not task or (each.name, each.task) != (name, task)]

    def by_token(self, token: str) -> TokenHolder | None:
        return self.by_session(_derived(token, "session"))

    def by_session(self, session: str) -> TokenHolder | None:
        """The owner of a session's cookie."""
        asked = _key(session)
        found = [each for key, each in self._people if hmac.compare_digest(key, asked)]  # no early end
        return _with_session(found[-1], session) if found else None


def _with_session(known: TokenHolder, session: str) -> TokenHolder:
    return known._replace(session=session, csrf=_derived(session, "csrf"))


def is_same(one: str, other: str) -> bool:
    """True if two secrets are equal, compared in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def _derived(token: str, purpose: str) -> str:
    return hmac.new(token.encode(), f"assay {purpose}".encode(), sha256).hexdigest()


def _key(session: str) -> bytes:
    return _derived(session, "key").encode()
