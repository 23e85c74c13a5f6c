"""The errors of the released code, each a switch."""

from collections.abc import Collection
from typing import Final

from assay.core.errors import UserError, did_you_mean
from assay.core.protocols import Fidelity

DOUBLED_THE: Final = "doubled-the"
OBJECT_TAG: Final = "object-tag"
TOWN_TWICE: Final = "town-twice"

ALL = frozenset({DOUBLED_THE, OBJECT_TAG, TOWN_TWICE})


def quirks_of(fidelity: Fidelity, quirks: Collection[str] | None = None) -> frozenset[str]:
    """The quirks that are on: all with the released code, none otherwise, or those that are named.

    >>> sorted(quirks_of("code")), sorted(quirks_of("strict")), sorted(quirks_of("strict", ["town-twice"]))
    (['doubled-the', 'object-tag', 'town-twice'], [], ['town-twice'])
    """
    if quirks is None:
        return ALL if fidelity == "code" else frozenset()
    for quirk in quirks:
        if quirk not in ALL:
            raise UserError(f"No quirk {quirk!r}{did_you_mean(quirk, ALL)} There are {', '.join(sorted(ALL))}.")
    return frozenset(quirks)


def named_quirks(names: str) -> list[str] | None:
    """The quirks that an option names, separated by blanks; `none` means none, and an empty text those of the fidelity.

    >>> named_quirks("doubled-the town-twice"), named_quirks("none"), named_quirks("")
    (['doubled-the', 'town-twice'], [], None)
    """
    return None if not names.strip() else [] if names.strip() == "none" else names.split()


def without_doubled_the(text: str) -> str:
    """A sentence without the doubled "the" of the released code.

    >>> without_doubled_the("The actor saw the the judge .")
    'The actor saw the judge .'
    """
    return text.replace(" the the ", " the ")
