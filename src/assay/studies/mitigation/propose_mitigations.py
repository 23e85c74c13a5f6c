"""From the diagnosis of a stored run to a plan of mitigations."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import msgspec
import yaml

from assay.core import registry
from assay.core.errors import UserError
from assay.core.judgement import Profile
from assay.core.label import THREE_WAY
from assay.core.serialise import from_json
from assay.corpora.reader import CorpusReader, read
from assay.evaluate.diagnose.diagnosis_headline import shortcut_words
from assay.models import shipped
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_order import output_names, read_names
from assay.models.adapters.label_words import is_generative
from assay.models.adapters.trained import Trained
from assay.models.systems.system_card import MAKING
from assay.reports.tables.sheet import Part, plain_sheet
from assay.run.diagnose_run import diagnose
from assay.run.predict.model_names import OWN, ModelName
from assay.run.stored_run import open_run
from assay.stress.heuristics.grammar import load_grammar
from assay.studies.mitigation.mitigations import (
    MITIGATED,
    UNTREATED,
    Measure,
    MitigationProposal,
    Subject,
    built_measures,
    mitigations_for,
)
from assay.studies.plans import MitigateOptions
from assay.training.train_system import TrainingProvenance

CHEAP = "decomposable-attention"
"""The system that stands in for a model that can't be trained here: it trains in minutes, and follows shared words."""

READY, GENTLY = "bert", "5e-5"
"""The system that begins with the weights of a ready classifier, and its rate then: half of that of a new one."""


def subject_of(profile: Profile, system: str | None) -> Subject:
    """The model with its system: the one that is named, the one that it is, the model itself, or a cheap one."""
    made, ready = making_of(profile.model), ready_classifier(profile.model)
    named = registry.systems.resolve(system) if system else None
    goes_on = ready is not None and named in (None, registry.systems.resolve(READY))
    options: dict[str, Any]
    if goes_on:
        resolved, options = registry.systems.resolve(READY), {"set": {"checkpoint": ready, "rate": GENTLY}}
    elif named:
        resolved, options = named, {}
    elif made:
        resolved, options = made.spec.system, {"preset": made.spec.preset}
        if made.spec.switches:
            options["set"] = dict(made.spec.switches)
        if made.spec.label_space.is_binary:
            options["two-way"] = True
    else:
        resolved, options = registry.systems.resolve(CHEAP), {}
    return Subject(
        model=profile.model,
        headline=profile.headline,
        system=resolved.partition("/")[0],
        options=options,
        is_own=made is not None and made.spec.system == resolved,
        goes_on=goes_on,
    )


def making_of(model: str) -> TrainingProvenance | None:
    """Provenance of a model, if Assay trained it and its folder is still there."""
    kind, what, _ = ModelName.parse(model)
    name = what.partition("/")[0]
    if kind == OWN and name in shipped.NAMES:
        folder = shipped.HERE / name
    elif kind == "trained":
        folder = Path(what)
        with suppress(UserError):
            folder = Trained(what=what).folder
    else:
        return None
    return from_json(folder / MAKING, TrainingProvenance, newest=1) if (folder / MAKING).is_file() else None


def ready_classifier(model: str) -> str | None:
    """The checkpoint of a classifier of transformers that names its labels, so that it can be trained further."""
    kind, what, options = ModelName.parse(model)
    if kind != "hf" or options.get("labels"):  # outputs that only the user can name would begin in the wrong order
        return None
    try:
        config = msgspec.json.decode((HuggingFace(what=what).folder() / "config.json").read_bytes())
    except (UserError, OSError, msgspec.DecodeError):  # it may have been moved since it was asked
        return None
    is_named = set(read_names(output_names(config)) or ()) == set(THREE_WAY)
    where = Path(what).expanduser()
    checkpoint = str(where.absolute()) if where.is_dir() else what  # a plan may be run from elsewhere
    return checkpoint if is_named and not is_generative(config) else None


USUAL = {
    "train": "mnli/train_subset.jsonl.gz",
    "dev": "mnli/dev_matched.jsonl.gz",
    "test": "mnli/dev_mismatched.jsonl.gz",
}
"""The corpora of the studies that come with Assay."""

ADVICE = (
    "Name your own pairs with --from, --dev and --test, relative to --data FOLDER or to the current folder;\n"
    f"  or name a --data FOLDER that has {', '.join(USUAL.values())}."
)

USUAL_VECTORS = "vectors/glove.6B.100d.subset.txt.gz"

USUAL_TESTS = {
    "hans": "hans/heuristics_evaluation_set.txt.gz",
    "breaking": "breaking_nli/dataset.jsonl.gz",
    "hard": "snli/test_hard.jsonl.gz",
}
"""Test sets that are used if they are there."""


class PlanSources(NamedTuple):
    corpora: dict[str, dict[str, str]]
    tests: tuple[Measure, ...] = ()  # suites of whole files
    generated_like: tuple[str, ...] = ()  # the ones whose pairs are built like the generated ones: HANS itself
    data: str = ""  # the folder; empty if there is none
    vectors: str = ""


def find_sources(given: MitigateOptions) -> PlanSources:
    """The data of a plan; every file that is named must be there."""
    own = {"train": given.train, "dev": given.dev, "test": given.test}
    folder = Path(given.data) if given.data else Path() if any(own.values()) else None
    if folder is None:
        if given.hard or given.withheld or given.vectors:
            raise UserError(
                f"Test sets and vectors can only be given together with training pairs of your own.\n  {ADVICE}"
            )
        return PlanSources(_name_corpora([USUAL["train"]], USUAL["dev"], USUAL["test"], {}))
    if any(own.values()) and not all(own.values()):
        missing = " and ".join(f"--{name.replace('train', 'from')}" for name, value in own.items() if not value)
        raise UserError(f"--from, --dev and --test go together; add {missing}.\n  {ADVICE}")
    train = list(given.train or [USUAL["train"]])
    dev, test = given.dev or USUAL["dev"], given.test or USUAL["test"]
    tests = _find_tests(folder, given)
    for file in (*train, dev, test, *tests.values(), *([given.vectors] if given.vectors else [])):
        if not (folder / file).is_file():
            raise UserError(f"{folder / file}: no such file.\n  {ADVICE}")
    vectors = given.vectors or (USUAL_VECTORS if (folder / USUAL_VECTORS).is_file() else "")
    subcases = {each.name for each in load_grammar("").subcases}
    first = {name: next(iter(CorpusReader(read(str(folder / file)).reading)), None) for name, file in tests.items()}
    return PlanSources(
        _name_corpora(train, dev, test, tests),
        tuple(
            Measure(
                name=name,
                options={"from": name, "families": "original", "sample": 6000},
                why=f"The pairs of {file}.",
            )
            for name, file in tests.items()
        ),
        tuple(name for name, pair in first.items() if pair and pair.group.get("subcase") in subcases),
        str(folder.resolve()),
        vectors,
    )


def _find_tests(folder: Path, given: MitigateOptions) -> dict[str, str]:
    found = {name: file for name, file in USUAL_TESTS.items() if (folder / file).is_file()}
    if given.hard:
        found["hard"] = given.hard
    for file in given.withheld:
        if file not in found.values():
            stem = Path(file).name.partition(".")[0]
            names = chain([stem], (f"{stem}-{number}" for number in count(2)))
            found[next(name for name in names if name not in found)] = file
    return found


def _name_corpora(train: Sequence[str], dev: str, test: str, tests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    names = ["train", *(f"train-{number}" for number in range(2, len(train) + 1))]
    return {
        **{name: {"file": file, "part": "train"} for name, file in zip(names, train, strict=True)},
        "dev": {"file": dev, "part": "dev"},
        "test": {"file": test, "part": "test"},
        **{name: {"file": file, "part": "test"} for name, file in tests.items()},
    }


def propose_mitigations(given: MitigateOptions) -> MitigationProposal | str:
    """The mitigations for a model of a run, or the reason why there are none."""
    run, model = given.run, given.model
    record = open_run(run)
    profiles = diagnose(run, models=[model] if model else []).profiles
    if not profiles:
        raise UserError(f"{run} has no diagnosis of {model or 'its models'}.\n  Test it with `assay run`.")
    references = {each.model for each in record.models if each.reference}
    with_shortcuts = [each for each in profiles if each.followed]
    # If no model is named: one that Assay can train again, and no reference; of several, the first.
    profile = min(
        with_shortcuts, key=lambda each: (each.model in references, making_of(each.model) is None), default=None
    )
    if profile is None:
        names, verb = ", ".join(each.model for each in profiles), "follows" if len(profiles) == 1 else "follow"
        return f"{names} {verb} no shortcut that shows in this run, so there is no mitigation to suggest."
    mitigated = [each for each in profile.followed if each.name in MITIGATED]
    if not mitigated:
        return (
            f"{profile.model} {profile.headline}. Assay has no mitigation for that. Check the labels of its training "
            "pairs, and how many pairs each label has."
        )
    sources = find_sources(given)
    found = [each.name for each in mitigated]
    measures = [*built_measures(found, [each.name for each in load_grammar("").subcases]), *sources.tests]
    suites = [each.name for each in measures]
    return MitigationProposal(
        subject=subject_of(profile, given.system),
        shortcuts=tuple(mitigated),
        unmitigated=tuple(each for each in profile.followed if each.name not in MITIGATED),
        mitigations=tuple(mitigations_for(found, suites, generated_like=sources.generated_like)),
        measures=tuple(measures),
        corpora=sources.corpora,
        sources=tuple(name for name in sources.corpora if name.startswith("train")),
        data=sources.data,
        vectors=sources.vectors,
    )


WIDTH = 110  # of a comment


def plan_lines(proposal: MitigationProposal) -> Iterator[str]:
    subject = proposal.subject
    yield from _comment_lines(f"Mitigations for {subject.model}, which {subject.headline}.")
    yield from _comment_lines("Run it: assay study run THIS-FILE. It ends in a table of before and after.")
    yield f"title: {_one_line_yaml(f'Mitigations for {subject.model}')}"
    if proposal.data:
        yield f"data: {_one_line_yaml(proposal.data)}"
    yield "corpora:"
    for name, corpus in proposal.corpora.items():
        yield f"  {name}: {_one_line_yaml(corpus)}"
    if proposal.vectors:
        yield f"vectors: {_one_line_yaml(proposal.vectors)}"
    shared = {"from": list(proposal.sources), "dev": "dev", "sample": 20000, "dev-sample": 2000}
    yield f"train: {_one_line_yaml(shared)}"
    yield from _comment_lines(_describe_training(subject))
    yield f"systems:\n  {subject.system}: {_one_line_yaml(subject.options)}"
    if subject.model.startswith("assay:"):
        yield f"models: {_one_line_yaml([subject.model.partition('/')[0]])}"
    elif subject.goes_on:
        checkpoint, (_, mark, options) = subject.options["set"]["checkpoint"], subject.model.partition("?")
        yield f"models: {_one_line_yaml([f'hf:{checkpoint}{mark}{options}'])}"
    yield "conditions:"
    yield f"  {UNTREATED}: {{}}"
    by_name = {each.name: each for each in proposal.shortcuts}
    for mitigation in proposal.mitigations:
        yield from _comment_lines(mitigation.why, indent=2)
        for name in mitigation.against:
            yield from _comment_lines(f"Against {shortcut_words(by_name[name])}.", indent=2)
        yield f"  {mitigation.name}: {_one_line_yaml(mitigation.options)}"
    yield from _comment_lines("Verdicts need four seeds of each condition, and five are more certain.")
    yield "seeds: [0, 1, 2, 3, 4]"
    yield "suites:"
    for measure in proposal.measures:
        treating = [each.name for each in proposal.mitigations if measure.name in each.treats]
        role = f" Treated by {', '.join(treating)}." if treating else " Withheld from all."
        is_first = measure is proposal.measures[0]
        yield from _comment_lines(f"{measure.why}{'' if is_first else role}", indent=2)
        yield f"  {measure.name}: {_one_line_yaml(measure.options)}"
    yield from _comment_lines(
        "Suites that show what each condition treats. All others are withheld from it and show whether it generalises."
    )
    yield "before-and-after:"
    yield f"  real: {_one_line_yaml([proposal.measures[0].name])}"
    yield "  treated:"
    for mitigation in proposal.mitigations:
        yield f"    {mitigation.name}: {_one_line_yaml(list(mitigation.treats))}"
    yield "tables:"
    yield "  - title: Accuracy before and after"
    yield "  - title: Accuracy before and after, by label"
    yield "    by: label"


def _describe_training(subject: Subject) -> str:
    if subject.is_own:
        return "The model's system, trained as it was."
    if subject.goes_on:
        return (
            f"{subject.model} itself, which is trained further. The condition {UNTREATED!r} has as much training "
            "without a mitigation; under models it is as it was."
        )
    return f"It stands in for {subject.model}, which can't be trained here."


def _comment_lines(text: str, *, indent: int = 0) -> list[str]:
    return [f"{' ' * indent}# {line}" for line in wrap(text, WIDTH - indent, break_on_hyphens=False)]


def _one_line_yaml(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf"))
    return text.removesuffix("...\n").strip()


def proposal_parts(proposal: MitigationProposal) -> list[Part]:
    rows = [
        {
            "mitigation": each.name,
            "against": ", ".join(each.against),
            "treated": ", ".join(each.treats) or "-",
            "withheld": ", ".join(proposal.withheld(each)),
        }
        for each in proposal.mitigations
    ]
    note = (
        "treated: suites that show what the mitigation is for. withheld: suites that show whether it goes beyond them."
    )
    subject = proposal.subject
    where = "" if subject.is_own else " from its weights" if subject.goes_on else f" in place of {subject.model}"
    return [
        f"{subject.model} {subject.headline}. {subject.system} is trained{where}.",
        *(f"  {shortcut_words(each)}." for each in proposal.shortcuts),
        *(f"  There is no mitigation for {each.name}." for each in proposal.unmitigated),
        "",
        plain_sheet(rows)._replace(note=note),
    ]
