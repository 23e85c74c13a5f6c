"""Keys of services: taken from the environment, checked before they are sent, and never part of an error."""

import os
import re

from assay.core.errors import UserError

KEY = re.compile(r"[!-~]*")
"""What a key that can be sent looks like."""

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
