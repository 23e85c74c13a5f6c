"""The options of a training run in a plan, and parts of a plan's file that know where they are written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_origin

import msgspec

from assay.core import registry
from assay.core.errors import BadInputError, UserError, did_you_mean
from assay.core.registry import convert_option
from assay.core.run_record import CorpusReading
from assay.models.adapters.hub import refuse_nowhere
from assay.run.build.recipes import are_generated, recipes_for
from assay.run.build.suite_builder import subcases_of
from assay.storage.yaml_file import YamlValue
from assay.studies.plan.study_plan import AugmentPlan, SuitePlan, TrainingPlan
from assay.training.bias_model import refuse_unusable
from assay.training.presets import ChosenPreset, Preset, choose, presets
from assay.training.training_corpus import TrainSpec

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)

NOUNS = {"by": "slice", "real": "suite"}  # the kind of name that a field holds, if it differs from the field's own name


class Section:
    def __init__(self, path: Path, marked: YamlValue, name: str) -> None:
        self.path = path
        self.name = name
        self.line = marked.line
        self._own: dict[str, YamlValue] = marked.value if isinstance(marked.value, dict) else {}
        if not isinstance(marked.value, dict) and marked.value:
            self.fail(f"{name} must be a mapping: NAME: VALUE")

    def __contains__(self, key: str) -> bool:
        return key in self._own

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def refuse_other_keys(self, *names: str) -> "Section":
        for key in self._own:
            self.check_name(key, names, "key", at=key)
        return self

    def check_name(self, name: str, names: Iterable[str], what: str, *, at: str = "") -> None:
        there = list(names)
        if name not in there:
            guess = did_you_mean(name, there)
            self.fail(f"no {what} {name!r} in {self.name}{guess}", at=at, hint=f"Choose from {', '.join(there)}.")

    def text(self, key: str, default: str | None = None) -> str:
        found = self._own.get(key)
        if found is None:
            if default is None:
                self.fail(f"{self.name} needs {key!r}")
            return default
        if not isinstance(found.value, str):
            self.fail(f"{key} must be one value", at=key)
        return found.value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of values; a single value is a list of one."""
        found = self._own.get(key)
        if found is None or found.value == "":
            return ()
        plain = found.plain if isinstance(found.value, list) else [found.plain]
        if not all(isinstance(each, str) for each in plain):
            self.fail(f"{key} must be a list of values", at=key)
        return tuple(plain)

    def count(self, key: str) -> int | None:
        """A number, 1 or more; None if there is none, or if it says `all`."""
        text = self.text(key, "all")
        if text == "all":
            return None
        if not text.isdecimal() or not int(text):
            self.fail(f"{key} must be a number, 1 or more, or `all`, not {text!r}", at=key)
        return int(text)

    def value(self, key: str, kind: Any = dict[str, str]) -> Any:
        """A value of a type: text, one of some texts, yes or no, a list of texts, or a mapping from names to these."""
        if get_origin(kind) is tuple:
            return self.texts(key)
        if get_origin(kind) is dict:
            inner = self.section(key)
            return {name: inner.value(name, get_args(kind)[1]) for name in inner}
        if get_origin(kind) is Literal:
            self.check_name(self.text(key), get_args(kind), key, at=key)
        return self.text(key) == "yes" if kind is bool else self.text(key)

    def read(self, kind: type[S], known: Mapping[str, Iterable[str]] = {}, **more: Any) -> S:
        """A record whose fields are the keys of this section; `known` are the names that a field may have."""
        self.refuse_other_keys(*kind.__struct_fields__)
        fields = {field.name: field for field in msgspec.structs.fields(kind) if field.name not in more}
        for key, names in known.items():
            is_mapping = get_origin(fields[key].type) is dict
            where = self.section(key) if is_mapping else self
            for name in where if is_mapping else self.texts(key):
                where.check_name(name, names, NOUNS.get(key, key.removesuffix("s")), at=name if is_mapping else key)
        values = {
            name: self.value(name, field.type) for name, field in fields.items() if name in self or field.required
        }
        return kind(**values, **more)

    def section(self, key: str) -> "Section":
        """A mapping inside; an empty one if there is none."""
        return Section(self.path, self._own.get(key) or YamlValue({}, self.line), key)

    def sections_by_name(self, key: str) -> dict[str, "Section"]:
        """Mappings by name; a list of names means empty mappings."""
        found = self._own.get(key)
        if found is not None and isinstance(found.value, list):
            empty = {each.plain: YamlValue({}, each.line) for each in found.value}
            return {str(name): Section(self.path, each, str(name)) for name, each in empty.items()}
        inner = self.section(key)
        return {name: inner.section(name) for name in inner}

    def sections(self, key: str) -> list["Section"]:
        found = self._own.get(key) or YamlValue([], self.line)
        if not isinstance(found.value, list):
            self.fail(f"{key} must be a list", at=key)
        return [Section(self.path, each, f"{key}, number {number}") for number, each in enumerate(found.value, 1)]

    def plain(self) -> dict[str, Any]:
        """The whole content, without line numbers."""
        return {name: each.plain for name, each in self._own.items()}

    def run_checked(self, action: Callable[[], T], *, at: str = "") -> T:
        """The result of the action; a user's error names the file and the line."""
        try:
            return action()
        except BadInputError:
            raise
        except UserError as error:
            fact, _, rest = str(error).partition("\n")
            self.fail(fact, at=at, hint=rest.strip())

    def fail(self, fact: str, *, at: str = "", hint: str = "") -> NoReturn:
        line = self._own[at].line if at in self._own else self.line
        raise BadInputError(fact, where=f"{self.path}:{line}", hint=hint)


OWN = (
    *("system", "from", "dev", "dev-sample", "preset", "sample", "each", "redraw"),
    *("swap", "augment", "withhold", "set"),
)
"""Options that a plan reads itself: corpora are named, and cases are made, not given."""

TAKEN = ("system", "preset", "switches", "sources", "rates", "sample", "redraw", "dev", "vectors", "swap", "augment")
"""Fields of a training that these options, or the plan, decide."""

LEARNED_FROM = ("map-from", "teacher")
"""Options that name a trained system: its folder, or a condition of the plan, trained with the same seed."""

WHOLE = 100


def further_options() -> dict[str, Any]:
    fields = msgspec.structs.fields(TrainSpec)
    return {each.name.replace("_", "-"): each.type for each in fields if each.name not in (*TAKEN, "withhold")}


def training_plan(name: str, condition: str, layers: Sequence[Section], corpora: Sequence[str]) -> TrainingPlan:
    """A system under a condition.

    Options come in layers: for all training runs, for the system and for the condition. The last that has one decides.
    """
    further = further_options()
    for layer in layers:
        layer.refuse_other_keys(*OWN, *further)
    last = layers[-1]

    def home(option: str, default: Section = last) -> Section:
        return next((layer for layer in reversed(layers) if option in layer), default)

    owner = home("system", layers[1])

    sources, dev = home("from").texts("from"), home("dev").text("dev")
    if not sources:
        last.fail("training needs `from`: the corpora to draw pairs from")
    for option, names in (("from", sources), ("dev", (dev,))):
        for each in names:
            home(option).check_name(each, corpora, "corpus", at=option)
    preset: Any = home("preset").text("preset", "laptop")
    home("preset").check_name(preset, get_args(Preset), "preset", at="preset")
    made = TrainingPlan(
        name=name,
        condition=condition,
        system=owner.run_checked(lambda: registry.systems.resolve(owner.text("system", name)), at="system"),
        sources=sources,
        dev=dev,
        preset=preset,
        sample=home("sample").count("sample"),
        each=home("each").count("each"),
        dev_sample=home("dev-sample").count("dev-sample"),
        redraw=_read_redraw(home("redraw")),
        swap=_read_percent(home("swap"), "swap"),
        augment=_read_augment(home("augment").section("augment"), corpora) if "augment" in home("augment") else None,
        withhold=home("withhold").value("withhold", dict[str, tuple[str, ...]]),
        switches={name: value for layer in layers for name, value in layer.value("set").items()},
        more={
            option.replace("-", "_"): _read_option(home(option), option, kind)
            for option, kind in further.items()
            if option in home(option)
        },
    )
    if made.augment and not made.augment.suite.source:
        for each in made.withhold.get("subcase", ()):
            known = subcases_of(made.augment.suite.families[0])
            home("withhold").section("withhold").check_name(each, known, "subcase", at="subcase")
    chosen = last.run_checked(lambda: chosen_for(made), at="set")
    if checkpoint := getattr(chosen.config, "checkpoint", ""):
        home("set").run_checked(lambda: refuse_nowhere(checkpoint), at="set")
    spec = training_spec(made, sources=[], dev=CorpusReading(source=""), vectors=None, augment=())
    # A teacher that is a training run of the plan is not there yet.
    teachers = () if "teacher" in last and not Path(last.text("teacher")).is_dir() else (0,)
    last.run_checked(lambda: refuse_unusable(spec, spec.label_space.labels, seeds=teachers), at="debias")
    return made


def chosen_for(plan: TrainingPlan) -> ChosenPreset:
    kind = registry.systems.get(plan.system)
    preset: Any = plan.preset
    setting = presets(plan.system.partition("/")[0]).setting(preset)
    asked = {name: name in plan.more for name in ("regularise", "debias")}
    return choose(setting, kind.Config, plan.switches, **asked)


def training_spec(
    plan: TrainingPlan,
    *,
    sources: Sequence[CorpusReading],
    dev: CorpusReading,
    vectors: str | None,
    augment: Sequence[str],
) -> TrainSpec:
    preset: Any = plan.preset
    return TrainSpec(
        system=plan.system,
        preset=preset,
        switches=plan.switches,
        sources=tuple(sources),
        rates=(1.0 if plan.redraw is None else plan.redraw,) * len(sources),
        redraw=plan.redraw is not None,
        dev=dev,
        vectors=vectors,
        swap=plan.swap,
        augment=tuple(augment),
        withhold=plan.withhold,
        **plan.more,
    )


def suite_plan(section: Section, corpora: Sequence[str]) -> SuitePlan:
    """A suite of the plan, if it can be built."""
    families, switches = section.texts("families"), section.value("set")
    if not families:
        section.fail(f"{section.name} needs families")
    source = section.text("from", "")
    section.run_checked(lambda: recipes_for(families, seed=0, switches=switches), at="families")
    if source:
        section.check_name(source, corpora, "corpus", at="from")
    elif not section.run_checked(lambda: are_generated(families), at="families"):
        section.fail(f"{section.name} needs `from`: a corpus to build from")
    for each in section.texts("subcases"):
        section.check_name(each, subcases_of(families[0]), "subcase", at="subcases")
    return SuitePlan(
        source=source,
        families=families,
        switches=switches,
        sample=section.count("sample"),
        per_subcase=section.count("per-subcase") or 100,
        subcases=section.texts("subcases"),
    )


def _read_augment(section: Section, corpora: Sequence[str]) -> AugmentPlan:
    section.refuse_other_keys("from", "families", "set", "share", "pairs")
    share, pairs = _read_percent(section, "share"), section.count("pairs")
    if not 0 < share < 1 and pairs is None:
        section.fail(
            "augment needs `share`: percentage of all training pairs, between 0 and 100, or `pairs`: a number to add",
            at="share",
        )
    if share and pairs:
        section.fail("augment takes `share` or `pairs`, not both", at="pairs")
    return AugmentPlan(suite=suite_plan(section, corpora), share=share, pairs=pairs)


def _read_percent(section: Section, key: str) -> float:
    text = section.text(key, "0")
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= WHOLE:
        section.fail(f"{key} must be a percentage from 0 to 100, not {text!r}", at=key)
    return value / WHOLE


def _read_redraw(section: Section) -> float | None:
    if "redraw" not in section:
        return None
    share = _read_percent(section, "redraw")
    if not share:
        section.fail("redraw must be more than 0% of the pairs", at="redraw")
    return share


def _read_option(section: Section, option: str, kind: Any) -> Any:
    return section.run_checked(lambda: convert_option(section.plain()[option], kind, option), at=option)
