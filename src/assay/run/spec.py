"""From a user's request to a spec in which every name is resolved."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from assay.core.case import Recipe
from assay.core.errors import UserError
from assay.core.run_record import CorpusReading, FromCorpus, FromPairs, Generated, RunSpec, StoredSuite, SuiteSpec
from assay.corpora.in_memory import StoredPairs
from assay.models import shipped
from assay.run.build.recipes import generates, recipes_for, without_ladder
from assay.run.build.suite_builder import refuse_twice
from assay.run.predict.windows import Windows
from assay.run.run_options import RunOptions
from assay.storage.remote import is_address, name_of
from assay.storage.suite import Suite

DEFAULT_MODELS = tuple(f"assay:{name}" for name in ("esim", "kim", "minilm", "majority", "overlap", "hypothesis-only"))
"""A few models that are easy to read side by side."""

ALL_MODELS = tuple(
    f"assay:{name}"
    for name in (
        *(name for name in shipped.NAMES if name != "hypothesis-only"),
        *("majority", "overlap", "subsequence", "constituent", "wordnet", "hypothesis-words", "hypothesis-only"),
    )
)
"""All models that come with Assay."""

STRESS = "stress"
"""The suite that a run builds from a corpus."""


def run_spec(source: CorpusReading | StoredPairs | None, options: RunOptions, *, models: Sequence[str]) -> RunSpec:
    """The spec of a run whose models are named in full.

    If there is a corpus, its original pairs are always included, because the rest is compared with them.
    """
    refuse_twice(models)
    seed = options.seed
    planned: list[tuple[str, SuiteSpec]] = []
    if source:
        families = options.families or ()
        recipes = recipes_for(families, seed=seed, switches=options.all_switches(), ladder=options.ladder)
        original = recipes_for(["original"], seed=seed)
        built = (each for each in recipes if each != original[0] and not generates(each.transform))
        planned.append((STRESS, _from(source, (*original, *built))))
        planned += [
            (each.transform.partition("/")[0], Generated(recipe=each, per_subcase=options.per_subcase))
            for each in without_ladder([each for each in recipes if generates(each.transform)])
        ]
    for name, folder in named_suites(options.suites).items():
        planned.append((name, StoredSuite(folder=folder, digest=Suite.open(folder).manifest.digest)))
    if not planned:
        raise UserError("Nothing to predict: give a corpus or a suite.")
    for name, count in Counter(name for name, _ in planned).items():
        if count > 1:
            raise UserError(
                f"Two suites of the run are called {name!r}.\n  Give one another name: --suite NAME=FOLDER."
            )
    if options.windows:
        Windows.parse(options.windows)  # an error is reported before anything is built
    shared = {name: getattr(options, name) for name in RunSpec.__struct_fields__ if hasattr(options, name)}
    return RunSpec(**{**shared, "suites": dict(planned), "models": tuple(models)})


def _from(source: CorpusReading | StoredPairs, recipes: tuple[Recipe, ...]) -> FromCorpus | FromPairs:
    if isinstance(source, StoredPairs):
        return FromPairs(name=source.name, digest=source.digest, recipes=recipes)
    return FromCorpus(reading=source, recipes=recipes)


def named_suites(given: Iterable[str | Path | Suite] | Mapping[str, str | Path | Suite]) -> dict[str, str]:
    """Folders of suites by name: the key of a mapping, the NAME of `NAME=FOLDER`, or the name of the folder.

    >>> named_suites(["work/My suite", "hans=work/heuristics"])
    {'my-suite': 'work/My suite', 'hans': 'work/heuristics'}
    """
    if isinstance(given, Mapping):
        return {name: _folder(each) for name, each in given.items()}
    found: dict[str, str] = {}
    for each in map(_folder, given):
        name, named, folder = each.partition("=")
        path = folder if named and not is_address(each) and not Path(each).exists() else each
        name = slug(name if path == folder else name_of(path) if is_address(path) else Path(path).absolute().name)
        if name in found:
            raise UserError(f"Two suites are called {name!r}: {found[name]} and {path}.\n  Name one: NAME=FOLDER.")
        found[name] = path
    return found


def _folder(suite: str | Path | Suite) -> str:
    return str(suite.folder if isinstance(suite, Suite) else suite)


def slug(text: str) -> str:
    """A short name for a source, without folders, endings and punctuation."""
    name = Path(text).name if "/" in text and ":" not in text else text
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.partition(".")[0].lower())
    return "-".join(part for part in kept.split("-") if part) or "input"
