"""Keys of services: taken from the environment, checked before they are sent, and never part of an error."""

import os
import re
from typing import Any

from assay.core.errors import UserError

KEY = re.compile(r"[!-~]*")
"""What a key that can be sent looks like."""

SECRET = re.compile(
    r"secret|passw(?:or)?d|passphrase|authori[sz]ation|credential|bearer|cookie"
    r"|^key$|(?:api|access|auth|private|account|subscription)[^a-z]*key|^(?!(?:eos|bos|pad|unk|stop)[^a-z]*token$).*token$"
)
"""Names of fields that hold keys; a field such as `max_tokens`, `eos_token` or `prompt_cache_key` does not."""

HUB = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
"""Where the hub's own library looks for a key."""


def read_key(variable: str) -> str:
    """The key in an environment variable, without surrounding blanks; empty if there is none.

    The key is checked first, because a library that can't send it would show it in an error.
    """
    key = os.environ.get(variable, "").strip()
    if not KEY.fullmatch(key):
        raise UserError(
            f"The key in {variable} can't be sent: it contains a space, a line break or a character that no key has.\n"
            f"  Copy it again, the key alone: export {variable}=..."
        )
    return key


def check_hub_keys() -> None:
    """Check the keys that the hub's own library is about to send."""
    for variable in HUB:
        read_key(variable)


def secret_field(fields: Any) -> str | None:
    """The first field, at any depth, whose name says that it holds a key.

    >>> secret_field({"headers": [{"X-Api-Key": "abc"}]}), secret_field({"max_tokens": 5, "prompt_cache_key": "a"})
    ('X-Api-Key', None)
    """
    if isinstance(fields, dict):
        named = (name for name in fields if SECRET.search(name.lower()))
        return next(named, None) or secret_field([*fields.values()])
    if isinstance(fields, list):
        return next(filter(None, map(secret_field, fields)), None)
    return None
