"""The options of `run` and `build`, from which flags, configuration keys, keywords and the browser's form are made."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from assay.core.case import DEFAULT_FAMILIES
from assay.core.errors import UserError
from assay.core.label_space import Collapse, LabelChoice
from assay.core.manifest import Storage
from assay.core.option_fields import SET, OptionInfo, given_options

if TYPE_CHECKING:
    from assay.core.protocols import Corpus
    from assay.run.predict.model_names import Models
    from assay.storage.suite import Suite
else:  # only names a type
    Models = Suite = Any

READING = "Reading the corpus"
TESTS = "Tests"
MODELS = "Models"
WORK = "Work"

Pairs = str | Path | Iterable[Any]
"""What can be passed as a corpus: a file, a name, a table such as a DataFrame, or pairs."""

CORPUS = "A file, folder or zip in any known format, `-` for standard input, hf:NAME, or bundled."

COLLAPSE = OptionInfo(
    "How three-way predictions become two-way: argmax takes the best label, sum adds up neutral and contradiction.", SET
)


class ReadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of reading a corpus."""

    input_format: Annotated[
        str | None, OptionInfo("Format of the corpus; by default, it is detected.", group=READING, metavar="FORMAT")
    ] = None
    columns: Annotated[
        Mapping[str, str] | None, OptionInfo("Columns of the corpus: premise=text_a,hypothesis=text_b,label=y.")
    ] = None
    labels: Annotated[
        Mapping[str, str] | None, OptionInfo("Meaning of the corpus's labels: 0=entailment,1=neutral,2=contradiction.")
    ] = None
    encoding: Annotated[str, OptionInfo("Encoding of the corpus.", group=READING)] = "utf-8"
    limit: Annotated[
        int | None, OptionInfo("Read only the first N records.", group=READING, metavar="N", at_least=1)
    ] = None
    sample: Annotated[
        int | None,
        OptionInfo("Draw N pairs from the whole corpus, stratified by label and genre.", metavar="N", at_least=1),
    ] = None
    on_error: Annotated[
        Literal["stop", "skip"], OptionInfo("At a broken record: stop, or skip and report it.", group=READING)
    ] = "stop"

    def given_reading(self) -> dict[str, Any]:
        """The options of reading that differ from their defaults."""
        return {field.name: getattr(self, field.name) for field in given_options(self, ReadOptions.__struct_fields__)}


class TestOptions(ReadOptions, frozen=True, kw_only=True):
    """The options of building tests from pairs."""

    __test__ = False  # pytest would collect it

    seed: Annotated[int, OptionInfo("Seed for everything random.")] = 0
    fidelity: Annotated[
        Literal["strict", "paper", "code"] | None,
        OptionInfo(
            "Rules to follow: strict (ours, the default), paper (the paper's text) or code (its released code).",
            group=TESTS,
        ),
    ] = None
    switches: Annotated[
        Mapping[str, str] | None,
        OptionInfo(
            "Switches of the families, such as typos=2 (listed in docs/reference/tests); FAMILY.SWITCH=VALUE sets it "
            "for one family.",
            "--set",
            group=TESTS,
            metavar="SWITCH=VALUE,...",
        ),
    ] = None
    across: Annotated[
        bool | None,
        OptionInfo(
            "Edit the hypothesis and keep the premise (antonymy, quantities, roles, denial, lexical, logic from a "
            "corpus), or pair a text with an edited copy of itself.",
            "--across/--within",
            group=TESTS,
            default="across if the corpus holds claims and no family is named",
        ),
    ] = None
    ladder: Annotated[
        int | None,
        OptionInfo(
            "Build every strength from 0 to K, to plot accuracy by strength.", group=TESTS, metavar="K", at_least=1
        ),
    ] = None
    workers: Annotated[int, OptionInfo("Number of processes.", metavar="N", default="one per core", at_least=1)] = 1
    engine: Annotated[
        str,
        OptionInfo(
            "Where the work is done: processes of this machine, a Dask cluster of --workers processes that is started "
            "for this command, or a running cluster by the address of its scheduler.",
            group=WORK,
            metavar="local|dask|ADDRESS",
        ),
    ] = "local"

    def all_switches(self) -> dict[str, str]:
        """The switches, with those that have an option of their own."""
        own: dict[str, str] = {} if self.fidelity is None else {"fidelity": self.fidelity}
        if self.across is not None:
            own["across"] = "yes" if self.across else "no"
        return {**own, **(self.switches or {})}

    def read_corpus(self, source: Pairs) -> "Corpus":
        """The corpus, as these options say how to read it."""
        from assay.corpora.reader import corpus_of, read

        reading = self.given_reading()
        if not reading:
            return corpus_of(source)
        if hasattr(source, "as_pairs"):
            raise UserError(f"{', '.join(reading)}: give these to `read`, which has made this corpus.")
        return read(source, **reading, seed=self.seed)


class RunOptions(TestOptions, frozen=True, kw_only=True):
    """All options of a run."""

    source: Annotated[
        Pairs | None,
        OptionInfo(CORPUS, "--from", metavar="CORPUS", default="bundled, unless only suites are given"),
    ] = None
    families: Annotated[
        str | Sequence[str] | None,
        OptionInfo(
            "A family of tests to build; may be repeated.",
            "--family",
            default=", ".join(DEFAULT_FAMILIES),
            many=True,
            completes="transforms",
        ),
    ] = None
    suites: Annotated[
        str | Path | Suite | Sequence[str | Path | Suite] | Mapping[str, str | Path | Suite],
        OptionInfo("A suite that is already built; may be repeated.", "--suite", metavar="[NAME=]FOLDER", many=True),
    ] = ()
    models: Annotated[
        Models,
        OptionInfo(
            "A model to test; may be repeated.",
            "--model",
            default="the default models",
            many=True,
            completes="models",
        ),
    ] = ()
    default_models: Annotated[
        bool, OptionInfo("Test the default models as well: esim, kim, minilm, majority, overlap and hypothesis-only.")
    ] = False
    all_models: Annotated[bool, OptionInfo("Test all models and baselines that come with Assay as well.", SET)] = False
    out: Annotated[str | Path, OptionInfo("Folder of runs; the new run gets a folder in it.", path="out")] = "runs"
    two_way: LabelChoice = None
    effect: Annotated[
        float | None,
        OptionInfo(
            "Draw enough pairs to detect a loss this large, such as 0.05; with --dry-run, show how many.",
            group=TESTS,
            metavar="SHARE",
        ),
    ] = None
    per_subcase: Annotated[
        int, OptionInfo("Pairs to generate for each subcase, as in heuristics.", group=TESTS, metavar="N", at_least=1)
    ] = 20
    find_shortcuts: Annotated[
        bool,
        OptionInfo(
            "Search each model's answers for shortcuts that no test knows, and run the model on new cases that confirm "
            "or refute them: up to 240 predictions per rule. Usually, fewer than five rules are found.",
            group=TESTS,
        ),
    ] = False
    truncate: Annotated[
        Literal["premise", "error"],
        OptionInfo(
            "If a premise is too long for a model: premise cuts off its end and counts the case, error stops the run.",
            SET,
        ),
    ] = "premise"
    windows: Annotated[
        str,
        OptionInfo(
            "Split long premises into overlapping windows of sentences, predict for each, and combine the predictions: "
            "max, min, mean, or one for each label, as in entailment=max,contradiction=mean. WORDS is the most words "
            "in a window, by default 200.",
            group=MODELS,
            metavar="HOW[:WORDS]",
        ),
    ] = ""
    collapse: Annotated[Collapse, COLLAPSE] = "argmax"
    cache: Annotated[bool, OptionInfo("Do not read or write the cache.", "--no-cache", group=MODELS)] = True
    budget: Annotated[
        float | None,
        OptionInfo(
            "Stop before endpoints cost more than this; give their prices with price_in and price_out.",
            group=MODELS,
            metavar="AMOUNT",
            at_least=0,
        ),
    ] = None


class BuildOptions(TestOptions, frozen=True, kw_only=True):
    """All options of a build."""

    families: str | Sequence[str]  # the families, which are an argument of the command
    source: Annotated[
        Pairs | None,
        OptionInfo(
            CORPUS, "--from", metavar="CORPUS", default="bundled, but heuristics and logic families are generated"
        ),
    ] = None
    out: Annotated[str | Path | None, OptionInfo("Folder of the suite, which must not exist yet.", path="out")] = None
    overwrite: Annotated[bool, OptionInfo("Replace the file, or the folder if Assay made all of it.")] = False
    per_subcase: Annotated[int, OptionInfo("Pairs to generate for each subcase.", metavar="N", at_least=1)] = 1000
    train: Annotated[
        Any,
        OptionInfo(
            "A training corpus: the family lexical uses only its words; heuristics notes which words are rare in it.",
            group=TESTS,
            metavar="CORPUS",
        ),
    ] = None
    vectors: Annotated[
        str | Path | None,
        OptionInfo(
            "lexical: vectors in GloVe's format; drops replacements without a vector and antonyms whose vectors are "
            "far apart.",
            group=TESTS,
            metavar="FILE",
            path="file",
        ),
    ] = None
    categories: Annotated[str | Path | None, OptionInfo("lexical: your own words, in a TOML file.", SET)] = None
    bigrams: Annotated[
        str | Path | None,
        OptionInfo(
            "lexical: counts of word pairs, to skip rare ones: a file, symspell, or train (to count in --train).", SET
        ),
    ] = None
    per_pair: Annotated[str | int | None, OptionInfo("lexical: replacements per premise, a number or all.", SET)] = None
    split: Annotated[
        Literal["evaluation", "training"], OptionInfo("Which half of the generated pairs to use.", SET)
    ] = "evaluation"
    grammar: Annotated[
        str | Path | None,
        OptionInfo("Your own words and templates, to generate pairs from.", SET),
    ] = None
    storage: Annotated[
        Storage | None,
        OptionInfo(
            "How cases are stored.",
            group=WORK,
            default="jsonl; parts, which are several parquet files, for more than a million cases",
        ),
    ] = None

    def given_lexical(self) -> dict[str, Any]:
        """The options of the family lexical that were given."""
        return {field.name: getattr(self, field.name) for field in given_options(self, (*LEXICAL, "train"))}


LEXICAL = ("categories", "bigrams", "per_pair", "vectors")
