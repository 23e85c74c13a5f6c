"""What a prescription is about: the model to treat, and the data to train it on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core import registry
from assay.core.diagnosis import Profile
from assay.core.errors import UserError
from assay.core.label import THREE_WAY
from assay.core.run_record import RunRecord
from assay.core.serialise import from_json
from assay.corpora.reader import CorpusReader, read
from assay.models import shipped
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_order import read_names
from assay.models.adapters.label_words import is_generative
from assay.models.adapters.trained import Trained
from assay.models.systems.system_card import MAKING
from assay.run.predict.model_names import OWN, ModelName
from assay.stress.heuristics.grammar import load
from assay.studies.mitigation.mitigations import Measure, Subject
from assay.training.train_system import TrainingProvenance

CHEAP = "decomposable-attention"
"""The system that stands in for a model that can't be trained here: it trains in minutes, and follows shared words."""

READY, GENTLY = "bert", "5e-5"
"""The system that begins with the weights of a ready classifier, and its rate then: half of that of a new one."""


def chosen_profile(record: RunRecord, profiles: Sequence[Profile]) -> Profile | None:
    """The model that is prescribed for, if none is named: one that Assay can train again, and no reference.

    Of several, the first that follows a shortcut.
    """
    references = {each.model for each in record.models if each.reference}
    sick = [each for each in profiles if each.followed]
    return min(sick, key=lambda each: (each.model in references, making_of(each.model) is None), default=None)


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
        resolved, options = made.spec.system, _options(made)
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
    """How a model was trained, if Assay trained it and still knows."""
    kind, what, _ = ModelName.parse(model)
    name = what.partition("/")[0]
    if kind == OWN and name in shipped.NAMES:
        folder = shipped.HERE / name
    elif kind == "trained":
        folder = _trained_folder(what)
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
    named = sorted(config.get("id2label", {}).items(), key=lambda item: int(item[0]))
    is_named = set(read_names([name for _, name in named]) or ()) == set(THREE_WAY)
    where = Path(what).expanduser()
    checkpoint = str(where.absolute()) if where.is_dir() else what  # a plan may be run from elsewhere
    return checkpoint if is_named and not is_generative(config) else None


def _trained_folder(what: str) -> Path:
    try:
        return Trained(what=what).folder
    except UserError:
        return Path(what)


def _options(made: TrainingProvenance) -> dict[str, Any]:
    spec = made.spec
    options: dict[str, Any] = {"preset": spec.preset}
    if spec.switches:
        options["set"] = dict(spec.switches)
    if spec.two_way:
        options["two-way"] = True
    return options


USUAL = {
    "train": "mnli/train_subset.jsonl.gz",
    "dev": "mnli/dev_matched.jsonl.gz",
    "test": "mnli/dev_mismatched.jsonl.gz",
}
"""The corpora of the studies that come with Assay."""

USUAL_VECTORS = "vectors/glove.6B.100d.subset.txt.gz"

USUAL_TESTS = {
    "hans": "hans/heuristics_evaluation_set.txt.gz",
    "breaking": "breaking_nli/dataset.jsonl.gz",
    "hard": "snli/test_hard.jsonl.gz",
}
"""Test sets that are used if they are there."""


class NamedSources(NamedTuple):
    """What the user names. All files are relative to the folder of data, which is the current one if none is named."""

    data: Path | None = None
    train: Sequence[str] = ()
    dev: str = ""
    test: str = ""
    vectors: str = ""
    hard: str = ""
    withheld: Sequence[str] = ()


class PlanSources(NamedTuple):
    """What a plan is made of."""

    corpora: dict[str, dict[str, str]]
    """As a plan has them."""
    train: tuple[str, ...]
    tests: tuple[Measure, ...]
    """Suites of whole files."""
    generated_like: tuple[str, ...]
    """Those of them whose pairs are made as the generated ones are: HANS's own."""
    data: str
    """The folder; empty if there is none."""
    vectors: str
    """The file of word vectors."""


def find_sources(given: NamedSources) -> PlanSources:
    """The data of a plan; every file that is named must be there."""
    own = {"train": given.train, "dev": given.dev, "test": given.test}
    folder = given.data or (Path() if any(own.values()) else None)
    if folder is None:
        if given.hard or given.withheld or given.vectors:
            raise UserError(f"Test sets and vectors go with training pairs of yours.\n  {_what_to_give()}")
        return PlanSources(_corpora([USUAL["train"]], USUAL["dev"], USUAL["test"], {}), ("train",), (), (), "", "")
    if any(own.values()) and not all(own.values()):
        missing = " and ".join(f"--{name.replace('train', 'from')}" for name, value in own.items() if not value)
        raise UserError(f"--from, --dev and --test go together; add {missing}.\n  {_what_to_give()}")
    train = list(given.train or [USUAL["train"]])
    dev, test = given.dev or USUAL["dev"], given.test or USUAL["test"]
    tests = _tests(folder, given)
    for file in (*train, dev, test, *tests.values(), *([given.vectors] if given.vectors else [])):
        if not (folder / file).is_file():
            raise UserError(f"{folder / file}: no such file.\n  {_what_to_give()}")
    vectors = given.vectors or (USUAL_VECTORS if (folder / USUAL_VECTORS).is_file() else "")
    corpora = _corpora(train, dev, test, tests)
    return PlanSources(
        corpora,
        tuple(name for name in corpora if name.startswith("train")),
        tuple(_measure(name, file) for name, file in tests.items()),
        tuple(name for name, file in tests.items() if _is_generated_like(folder / file)),
        str(folder.resolve()),
        vectors,
    )


def _what_to_give() -> str:
    usual = ", ".join(USUAL.values())
    return (
        "Name your own pairs with --from, --dev and --test, relative to --data FOLDER or to the current folder;\n"
        f"  or name a --data FOLDER that has {usual}."
    )


def _tests(folder: Path, given: NamedSources) -> dict[str, str]:
    found = {name: file for name, file in USUAL_TESTS.items() if (folder / file).is_file()}
    if given.hard:
        found["hard"] = given.hard
    for file in given.withheld:
        if file not in found.values():
            found[_new_name(Path(file).name.partition(".")[0], found)] = file
    return found


def _new_name(name: str, taken: Mapping[str, str]) -> str:
    number = 1
    while (made := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return made


def _corpora(train: Sequence[str], dev: str, test: str, tests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    names = ["train", *(f"train-{number}" for number in range(2, len(train) + 1))]
    return {
        **{name: {"file": file, "part": "train"} for name, file in zip(names, train, strict=True)},
        "dev": {"file": dev, "part": "dev"},
        "test": {"file": test, "part": "test"},
        **{name: {"file": file, "part": "test"} for name, file in tests.items()},
    }


def _measure(name: str, file: str) -> Measure:
    options = {"from": name, "families": "original", "sample": 6000}
    return Measure(name=name, options=options, why=f"The pairs of {file}.")


def _is_generated_like(path: Path) -> bool:
    first = next(iter(CorpusReader(read(str(path)).reading)), None)
    return first is not None and first.group.get("subcase") in {each.name for each in load("").subcases}
