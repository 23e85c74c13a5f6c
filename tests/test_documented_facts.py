"""Numbers and rules that a page states are those that the code has."""

import re
from pathlib import Path

from assay.core import registry

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


LOGIC = ("scope", "monotonicity", "conjunction", "quantifiers", "comparatives", "conditionals")


def test_families_without_fidelity_are_named() -> None:
    kinds = {name.partition("/")[0]: registry.transforms.get(name) for name in registry.transforms.newest()}
    own = {name for name in kinds if registry.transforms.target(f"{name}/v1").source == "nli-assay"}
    own -= {f"{name}-corpus" for name in own}  # the half of a family that `--from` chooses
    without = {name for name in own if "fidelity" not in getattr(kinds[name], "__struct_fields__", ())}
    text = (DOCS / "reference/tests/README.md").read_text()
    (sentence,) = re.findall(r"`--fidelity` chooses whose rules to follow\. (.*?):\n", text, re.DOTALL)
    assert (
        set(re.findall(r"`([\w-]+)`", sentence))
        == without
        == {"burial", "denial", "foreign", "lexical", "quantities", "roles", *LOGIC}
    )


def test_the_limits_of_packing_are_those_of_the_tool() -> None:
    code = (ROOT / "tools" / "ship.py").read_text()
    limits = re.search(r"MOST_BY_EIGHT_BITS, MOST_IN_ALL = ([\d.]+), ([\d.]+)", code)
    largest = re.search(r"LARGEST = ([\d_]+)", code)
    assert limits
    assert largest
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text().split())
    alone, together = (f"{100 * float(each):g}%" for each in limits.groups())
    assert f"eight bits alone change more than {alone} of the labels" in text
    assert f"together change more than {together}" in text
    assert f"more than {int(largest[1]) // 10**6} MB in total" in text


def test_numeracy_says_who_finds_names() -> None:
    text = " ".join((DOCS / "reference/tests/numeracy.md").read_text().split())
    assert "not by CoreNLP, in `paper` and `code` too" in text
