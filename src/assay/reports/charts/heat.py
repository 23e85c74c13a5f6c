"""The colours of a heatmap: orange where a model is rarely right, blue where it mostly is, and ink that can be read."""

from assay.reports.charts.vegalite import HEAT

STEPS = 20
"""How many steps there are from never right to always right."""

DARK, LIGHT = "#000000", "#ffffff"
"""Text on light and on dark cells: one of the two has a contrast of 4.5 or more with any colour."""


def step(value: float) -> int:
    """The step of a share.

    >>> step(0.0), step(0.52), step(1.0)
    (0, 10, 20)
    """
    return round(value * STEPS)


def fill(value: float) -> str:
    """The colour of a share.

    >>> fill(0.0), fill(0.5), fill(1.0)
    ('#a8410b', '#f6efe4', '#14589c')
    """
    place = min(max(value, 0.0), 1.0) * (len(HEAT) - 1)
    first = min(int(place), len(HEAT) - 2)
    return _mixed(HEAT[first], HEAT[first + 1], place - first)


def grey(value: float) -> str:
    """The colour of a share of a reference: the more often right, the darker."""
    return _mixed("#ffffff", "#b9bcc2", value)


def ink(colour: str) -> str:
    """Dark or light text, whichever can be read better on a colour.

    >>> ink("#f6efe4"), ink("#14589c")
    ('#000000', '#ffffff')
    """
    return max((DARK, LIGHT), key=lambda text: contrast(text, colour))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, as the Web Content Accessibility Guidelines define it.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def heat_style() -> str:
    """The rules of a style sheet: a class for each step, and for references the same in grey."""
    rules = []
    for number in range(STEPS + 1):
        colour = fill(number / STEPS)
        rules.append(f".scale .h{number},.grid .h{number}{{background:{colour};color:{ink(colour)}}}")
        rules.append(f".grid .ref.h{number}{{background:color-mix(in srgb,var(--soft) {number * 1.5:g}%,var(--card))}}")
    return "\n".join([*rules, ".grid .ref[class]{color:var(--ink)}"])


def _mixed(one: str, other: str, share: float) -> str:
    parts = (round(a + (b - a) * share) for a, b in zip(_channels(one), _channels(other), strict=True))
    return "#" + "".join(f"{each:02x}" for each in parts)


def _channels(colour: str) -> list[int]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def _luminance(colour: str) -> float:
    shares = [each / 255 for each in _channels(colour)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
