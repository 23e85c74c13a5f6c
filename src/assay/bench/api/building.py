"""Build a suite, and write it in other formats."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from assay.bench.api.arguments import Pairs, names_of
from assay.bench.build.fillers import needs_filler, with_filler
from assay.bench.build.recipes import are_generated, for_corpus, generated_pairs, prepare, recipes_for, rungs
from assay.bench.build.suite import build_suite
from assay.bench.export.suite import export_suite
from assay.bench.shards import workers as crew_of
from assay.bench.stages import Stage, quiet
from assay.core.case import Recipe
from assay.core.errors import UserError
from assay.core.protocols import Corpus, GeneratedCorpus
from assay.core.remote.sending import stand_in
from assay.core.suite import Storage, Suite
from assay.corpora.given import kept
from assay.corpora.reading import BUNDLED, CorpusReader, corpus_of


def build(
    families: str | Sequence[str],
    source: Pairs | None = None,
    *,
    out: str | Path,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = 1000,
    storage: Storage | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build families of tests from a corpus, by default the bundled one, and write them to a suite's folder.

    The source is a file, a name, what `read` returned, a table such as a DataFrame, or any iterable of `Pair`.
    Without a source, `heuristics` and the logic families are generated, `per_subcase` pairs of each subcase;
    `generated(...)` has more options.
    Without a `storage`, cases are JSON lines, or parquet files in a folder if there are more than a million.
    Switches change how a family works: `{"fidelity": "code"}` for all, `{"antonymy.senses": "lesk"}` for one.
    Work is shared between `workers` processes on this machine, or given to your own executor, which stays open.

    >>> import tempfile
    >>> from assay import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     suite = build("negation", read("bundled", limit=2), out=f"{folder}/suite")
    ...     [case.hypothesis.endswith("and false is not true.") for case in suite]
    [True, True]
    """
    plan = planned_build(families, source, seed=seed, switches=switches, ladder=ladder, per_subcase=per_subcase)
    with plan as (corpus, recipes), crew_of(workers, executor) as crew:
        return build_suite(corpus, recipes, stand_in(out), crew=crew, storage=storage, overwrite=overwrite, stage=stage)


@contextmanager
def planned_build(
    families: str | Sequence[str],
    source: Pairs | None,
    *,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = 1000,
) -> Iterator[tuple[Corpus, list[Recipe]]]:
    """The corpus and the recipes of a build, with their resources loaded."""
    names = names_of(families)
    if source is None and are_generated(names):
        recipes_for(names, seed=seed, switches=switches, ladder=ladder)  # refuses a ladder that makes no sense
        (recipe,) = recipes_for(names, seed=seed, switches=switches)
        source, switches = generated_pairs(recipe, per_subcase), None
    corpus = corpus_of(BUNDLED if source is None else source)
    with ExitStack() as stack:
        if isinstance(corpus, GeneratedCorpus):
            recipes = _recipes_of(corpus, names, switches=switches, ladder=ladder)
        else:
            if needs_filler(names) and not isinstance(corpus, CorpusReader):
                corpus = stack.enter_context(kept(corpus))  # it is read twice
            names = for_corpus(names)
            switches = with_filler(names, corpus, switches)
            recipes = recipes_for(names, seed=seed, switches=switches, ladder=ladder)
        prepare(recipes)
        yield corpus, recipes


def export(
    suite: str | Path,
    to: str,
    *,
    out: str | Path,
    overwrite: bool = False,
    escape_formulas: bool = False,
    two_way: bool | None = None,
) -> Path:
    """Write a suite in another format: snli, mnli, hans, glue, csv, parquet, hf or lm-eval.

    With `escape_formulas`, no text in a csv file can run as a spreadsheet formula. With `two_way`, neutral and
    contradiction are written as one label; by default, they are if the corpus has two labels.
    """
    return export_suite(
        Suite.open(suite), to, stand_in(out), overwrite=overwrite, escape_formulas=escape_formulas, two_way=two_way
    )


def _recipes_of(
    corpus: GeneratedCorpus, families: Sequence[str], *, switches: Mapping[str, str] | None, ladder: int | None
) -> list[Recipe]:
    recipe = corpus.recipe()
    owner = recipe.transform.partition("/")[0]
    if not {*families} <= {owner, recipe.transform}:
        raise UserError(f"Generated pairs are for {owner}, not for {', '.join(families)}.")
    if switches:
        raise UserError("Generated pairs take no switches here: pass switches to `generated(...)`.")
    return [recipe] if ladder is None else rungs(recipe, ladder)
