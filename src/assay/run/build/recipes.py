"""From a user's request to recipes: families, variants, fidelity, switches and ladders."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from assay.core import registry
from assay.core.case import Option, Recipe
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.protocols import GeneratedCorpus, Generating, Traits, Transform, described
from assay.core.registry import convert_option
from assay.language.resources import installed as resources

EVERYTHING = "all"
ORIGINAL = "original/v1"


def recipes_for(
    families: Sequence[str], *, seed: int, switches: Mapping[str, str] | None = None, ladder: int | None = None
) -> list[Recipe]:
    """The recipes of `FAMILY` or `FAMILY:VARIANT`; `all` means every family in all its variants.

    A switch is set for every family that has it, or for one as `FAMILY.SWITCH`; one that no family has is refused.
    A ladder builds each family that has a strength at every strength from 0 to `ladder`. A family that means nothing on
    its own brings the original pairs along.
    """
    asked = _everything() if EVERYTHING in families else [_split(name) for name in families]
    for each in asked:
        if asked.count(each) > 1:
            raise UserError(f"The family {':'.join(filter(None, each))!r} is given twice.")
    if ladder is not None and not any(traits_of(name).strength for name, _ in asked):
        able = ", ".join(name.partition("/")[0] for name in registry.transforms.newest() if traits_of(name).strength)
        raise UserError(
            f"None of these families has a strength that a ladder could vary: {', '.join(name for name, _ in asked)}.\n"
            f"  Leave --ladder out, or build one that has: {able}."
        )
    if EVERYTHING not in families and (switches or {}).get("across") == "yes" and ("numeracy/v1", "") in asked:
        raise UserError("numeracy can't edit claims: with --across, name quantities instead of it.")
    unused = {name for name, value in (switches or {}).items() if (name, value) != ("fidelity", "strict")}
    recipes = []
    if any(traits_of(name).with_original for name, _ in asked) and (ORIGINAL, "") not in asked:
        asked.insert(0, (ORIGINAL, ""))
    for name, variant in asked:
        options, used = _options(name, variant, switches or {})
        unused -= used
        strength = traits_of(name).strength
        if ladder is not None and strength in {key.rpartition(".")[2] for key in used}:
            raise UserError(f"--ladder {ladder} already sets {strength} from 0 to {ladder}: leave out --{strength}.")
        recipe = Recipe(transform=name, options=options, seed=seed)
        recipes += [recipe] if ladder is None or not strength else rungs(recipe, ladder)
    if unused:
        known = sorted({field.name for name, _ in asked for field in _switches(name)})
        wrong = sorted(unused)[0]
        if wrong == "fidelity":
            names = ", ".join(name.partition("/")[0] for name, _ in asked)
            raise UserError(f"--fidelity {(switches or {})[wrong]}: {names} can only be built as strict.")
        switch = wrong.rpartition(".")[2]
        owners = [name for name in registry.transforms.newest() if switch in {field.name for field in _switches(name)}]
        guess = "." if owners else did_you_mean(switch, known)
        others = ", ".join(name.partition("/")[0] for name in owners)
        elsewhere = f"\n  {switch} is a switch of {others}." if owners else ""
        raise UserError(f"No switch {wrong!r} in these families{guess} Choose from {', '.join(known)}.{elsewhere}")
    return recipes


def rungs(recipe: Recipe, ladder: int) -> list[Recipe]:
    """The recipe at every strength from 0 to `ladder`."""
    strength = traits_of(recipe.transform).strength
    if not strength:
        raise UserError(f"{recipe.transform} has no strength that a ladder could vary.\n  Leave --ladder out.")
    return [
        msgspec.structs.replace(recipe, options={**recipe.options, strength: rung}, severity=rung)
        for rung in range(ladder + 1)
    ]


def without_ladder(recipes: Sequence[Recipe]) -> list[Recipe]:
    """The recipes without ladders: of each ladder, only the lowest rung."""
    found = []
    for each in recipes:
        strength = traits_of(each.transform).strength
        options = {name: value for name, value in each.options.items() if name != strength}
        if each.severity is None:
            found.append(each)
        elif each.severity == 0:
            found.append(msgspec.structs.replace(each, options=options, severity=None))
    return found


def can_cross(families: Sequence[str]) -> bool:
    """True if one of these families can edit the claim of a pair while keeping its evidence.

    >>> can_cross(["negation", "antonymy"]), can_cross(["negation"])
    (True, False)
    """
    names = [name for name, _ in (_everything() if EVERYTHING in families else map(_split, families))]
    return any("across" in switches_of(name) for name in names)


def are_generated(families: Sequence[str]) -> bool:
    """True if these families generate their own pairs, and so must be built separately.

    >>> are_generated(["heuristics"]), are_generated(["negation", "all"])
    (True, False)
    """
    names = [_split(name)[0] for name in families if name != EVERYTHING]
    generated = [name for name in names if generates(name)]
    if generated and len(families) > 1:
        alone = generated[0].partition("/")[0]
        raise UserError(f"{alone} are generated, not made from a corpus: build them separately, or name a corpus.")
    return bool(generated)


def for_corpus(families: Sequence[str]) -> list[str]:
    """The families, with template families in their form for real sentences; a family without one is refused.

    >>> for_corpus(["monotonicity", "negation"])
    ['monotonicity-corpus/v1', 'negation']
    """
    found = []
    for family in families:
        name = "" if family == EVERYTHING else _split(family)[0]
        instead = traits_of(name).from_corpus if name else ""
        if name and generates(name) and not instead:
            raise UserError(
                f"{family} is made from templates, not from a corpus.\n"
                f"  Build it on its own, without a corpus: `assay build {family} --out FOLDER`."
            )
        found.append(instead or family)
    return found


def traits_of(name: str) -> Traits:
    """The traits of the transform with this versioned name."""
    return described(registry.transforms.get(name), name=name)


@cache
def family_words() -> dict[str, str]:
    """One sentence about each family, from its builder."""
    found: dict[str, str] = {}
    for name in registry.transforms.newest():
        words = (registry.transforms.get(name).__doc__ or "").strip().partition("\n")[0]
        found.setdefault(traits_of(name).family, words)
    return {**found, traits_of(ORIGINAL).family: "The pairs as they were read, before any edit."}


def generates(name: str) -> bool:
    """True if a transform brings its own pairs."""
    kind: Any = registry.transforms.get(name)
    return isinstance(kind, type) and issubclass(kind, Generating)


def generated_pairs(recipe: Recipe, per_subcase: int) -> GeneratedCorpus:
    """The pairs that a transform generates, `per_subcase` of each subcase."""
    transform = transform_of(recipe)
    if not isinstance(transform, Generating):
        raise UserError(f"{recipe.transform} does not generate pairs: it needs a corpus.")
    return transform.generate(per_subcase, seed=recipe.seed)


def transform_of(recipe: Recipe) -> Transform:
    """The transform, with its options checked against their types."""
    kind: Any = registry.transforms.get(recipe.transform)
    if not isinstance(kind, type) and not recipe.options:  # a function is the transform itself, and has no options
        function: Transform = kind
        return function
    try:
        made: Transform = (
            msgspec.convert(recipe.options, kind, strict=False) if _is_struct(kind) else kind(**recipe.options)
        )
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise UserError(f"{recipe.transform} does not take these options: {error}.") from error
    return made


def prepare(recipes: Sequence[Recipe]) -> dict[str, str]:
    """Load the resources that the recipes need, and return their editions.

    This is done before workers start, so that they share what is loaded, and a missing resource is reported at once.
    """
    return {name: resources.resource_edition(name) for name in uses(recipes)}


def uses(recipes: Sequence[Recipe]) -> list[str]:
    return sorted({name for recipe in recipes for name in traits_of(recipe.transform).uses})


def _everything() -> list[tuple[str, str]]:
    """Every family in all its variants that can be built from any corpus and is not too expensive."""
    return [
        (name, variant)
        for name in registry.transforms.newest()
        if not generates(name) and not traits_of(name).on_request
        for variant in traits_of(name).variants or ("",)
    ]


def _split(asked: str) -> tuple[str, str]:
    family, _, variant = asked.partition(":")
    name = registry.transforms.resolve(family)
    variants = traits_of(name).variants
    if variant and variant not in variants:
        there = ", ".join(variants) or "none"
        raise UnknownNameError(
            f"No variant {variant!r} of {family}{did_you_mean(variant, variants)} Choose from: {there}."
        )
    return name, variant


def switches_of(name: str) -> list[str]:
    return [field.name for field in _switches(name)]


def _switches(name: str) -> Sequence[msgspec.structs.FieldInfo]:
    kind: Any = registry.transforms.get(name)
    return msgspec.structs.fields(kind) if _is_struct(kind) else ()


def _options(name: str, variant: str, switches: Mapping[str, str]) -> tuple[dict[str, Option], set[str]]:
    """The options that differ from the defaults, converted to the transform's types, and which switches were used."""
    family = name.partition("/")[0]
    fields = {field.name: field for field in _switches(name)}
    options: dict[str, Option] = {"variant": variant} if variant else {}
    used = set()
    for key, value in switches.items():
        owner, _, switch = key.rpartition(".")
        if owner in ("", family, name) and switch in fields:
            used.add(key)
            options[switch] = convert_option(value, fields[switch].type, f"{family}: the switch {switch}")
    return {key: value for key, value in options.items() if fields[key].default != value}, used


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


FILLER = "filler"  # the switch that names stored sentences


def needs_filler(families: Sequence[str]) -> list[str]:
    """The families that need filler.

    >>> needs_filler(["negation", "burial:claim", "all"])
    ['burial']
    """
    named = [each.partition(":")[0] for each in families if each != EVERYTHING]
    return [each for each in named if FILLER in switches_of(registry.transforms.resolve(each))]
