"""Calling transformers and the hub: without their progress bars and warnings, and with short errors."""

import logging
import math
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from assay.core.errors import BadInputError, UserError

NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
"""Pattern of a name on the hub."""

MOST_GROWTH = 64
"""Maximum growth of a text by a tokenizer; those in use stay below 10."""


def refuse_nowhere(checkpoint: str) -> None:
    """Refuse what is neither a folder nor can be on the hub, whose answer would be long in coming.

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


class _TokenizerFile(msgspec.Struct):
    normalizer: Any = None


def refuse_text_growth(tokenizer: Path) -> None:
    """Refuse a tokenizer.json whose rules make a text many times as long, before a library applies them to anything.

    A file that can't be read is left to the library, whose error says more.
    """
    try:
        found = msgspec.json.decode(tokenizer.read_bytes(), type=_TokenizerFile)
    except (OSError, msgspec.DecodeError, RecursionError):
        return
    times = _growth(found.normalizer)
    if times > MOST_GROWTH:
        raise BadInputError(
            f"its normalizer can make a text {min(times, 10**9):,.0f} times as long; at most {MOST_GROWTH} are allowed",
            where=str(tokenizer),
            hint="Use a tokenizer from somebody you trust.",
        )


def _growth(rule: Any) -> float:
    """Maximum growth of a text by a rule of a normalizer.

    >>> rule = {"type": "Replace", "pattern": {"String": "a"}, "content": "bbb"}
    >>> _growth({"type": "Sequence", "normalizers": [rule, rule]})
    9.0
    """
    if not isinstance(rule, dict):
        return 1.0
    if rule.get("type") == "Sequence":
        each = rule.get("normalizers")
        return math.prod(map(_growth, each)) if isinstance(each, list) else 1.0
    if rule.get("type") == "Prepend":
        return 1.0 + len(str(rule.get("prepend", "")))
    if rule.get("type") != "Replace":
        return 1.0
    pattern, content = rule.get("pattern"), len(str(rule.get("content", "")))
    if isinstance(pattern, dict) and (text := pattern.get("String")):
        return max(1.0, content / len(str(text)))
    return 1.0 + content  # an expression may match an empty text next to each character


def first_line(error: Exception) -> str:
    """The first line of an error."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
