"""Calling transformers and the hub: without their progress bars and warnings, and with short errors."""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.core.errors import UserError

NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


def refuse_nowhere(checkpoint: str) -> None:
    """Refuse a name that is neither a folder nor valid on the hub, before waiting for the hub.

    >>> refuse_nowhere("someone/model")
    >>> refuse_nowhere("./no-such-folder")
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: The checkpoint ./no-such-folder is neither a local folder nor a name on the hub.
      Name a folder that holds config.json, or a model of the hub: checkpoint=FOLDER, checkpoint=ORGANISATION/MODEL.
    """
    if not Path(checkpoint).is_dir() and not NAME.fullmatch(checkpoint):
        raise UserError(
            f"The checkpoint {checkpoint} is neither a local folder nor a name on the hub.\n"
            "  Name a folder that holds config.json, or a model of the hub: checkpoint=FOLDER, "
            "checkpoint=ORGANISATION/MODEL."
        )


@contextmanager
def quietly() -> Iterator[None]:
    """Hide the libraries' progress bars and warnings: what matters is raised as an error."""
    from transformers.utils import logging as theirs

    level, bars = theirs.get_verbosity(), theirs.is_progress_bar_enabled()
    theirs.set_verbosity(logging.CRITICAL)
    theirs.disable_progress_bar()
    try:
        with without_bars():
            yield
    finally:
        theirs.set_verbosity(level)
        if bars:
            theirs.enable_progress_bar()


@contextmanager
def without_bars() -> Iterator[None]:
    """Hide the hub's progress bars and all warnings; transformers is not needed."""
    from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    shown = not are_progress_bars_disabled()
    disable_progress_bars()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if shown:
            enable_progress_bars()


class ForeignCodeError(Exception):
    """A model needs code that is not part of transformers."""


def wants_code(error: Exception) -> bool:
    """True if a model was refused because it needs code that is not part of transformers."""
    return isinstance(error, ForeignCodeError) or "trust_remote_code" in str(error)


def refuse_kernels(config: Any) -> None:
    """Refuse a configuration that names a kernel on the hub, which transformers would download and run.

    >>> refuse_kernels({"text_config": {"_attn_implementation": "someone/kernel"}})
    Traceback (most recent call last):
    ...
    assay.models.adapters.hub.ForeignCodeError: someone/kernel
    """
    for name, value in config.items() if isinstance(config, dict) else ():
        refuse_kernels(value)
        if name.endswith("_implementation") and "/" in str(value):
            raise ForeignCodeError(str(value))


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
