"""Keys of services: taken from the environment, checked before they are sent, and never part of an error."""

import os
import re

from assay.core.errors import UserError

KEY = re.compile(r"[!-~]*")
"""What can be sent as a key."""

HUB = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
"""Where the hub's own library looks for a key."""


def read_key(variable: str) -> str:
    """The key in an environment variable, without the blanks around it; empty where there is none.

    A library that is given a key it can't send would show it in its error.
    """
    key = os.environ.get(variable, "").strip()
    if not KEY.fullmatch(key):
        raise UserError(
            f"The key in {variable} can't be sent: it has a space, a line break or a letter that no key has in it.\n"
            f"  Copy it again, the key alone: export {variable}=..."
        )
    return key


def check_hub_keys() -> None:
    """Look at the keys that the hub's own library is about to send."""
    for variable in HUB:
        read_key(variable)
