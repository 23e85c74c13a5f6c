"""Unknown shortcuts: patterns in a model's answers, confirmed by new cases that differ in one feature only."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from pathlib import Path

import msgspec
import numpy

from assay.core.case import Case, Option, Recipe
from assay.core.judgement import Diagnosis, Profile, UnknownShortcut
from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.core.pair import Pair
from assay.core.protocols import Adapter, Learner, Model
from assay.core.rng import KeyedRandom
from assay.core.run_record import RunRecord, RunSpec
from assay.corpora.reader import corpus_of
from assay.evaluate.case_columns import Encoder, Ints
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.diagnose.rule_search import (
    FEWEST_CLUSTERS,
    FEWEST_NEW,
    ArmAnswers,
    Confirmation,
    FoundPattern,
    confirm_pattern,
    find_patterns,
    held_out,
    is_confirmed,
)
from assay.evaluate.diagnose.text_features import Feature, FeatureReader
from assay.run.build.case_builder import BuildStep
from assay.run.build.suite_builder import build_suite
from assay.run.diagnose_run import cases_read, diagnose_run, read_evidence
from assay.run.measure import labels_read
from assay.run.predict.model_names import folder_name
from assay.run.predict.predict_options import PredictOptions
from assay.run.predict.predict_suites import run_model
from assay.run.stored_run import StoredRun
from assay.run.workers.pool import Stage, WorkerPool

MOST_PAIRS = 120  # unmodified pairs that new cases are built from, for each pattern
MOST_CLAUSES = 6  # clauses that are added to a text
FILLER = "true"  # the word of clauses that only make a text longer
NOT_BUILT = "no new cases with and without it can be built"
NOT_RUN = "the model was not run on new cases"

SEARCHED = "unknown-shortcuts"  # the folder of new cases in a run's folder, and the name of their suites
Predict = Callable[[str, Sequence[Pair]], Ints]  # runs a model, by name, on new pairs: (pairs,) codes of the answers
NewPairs = tuple[Case, list[Pair]]
"""New pairs from an unmodified one: one that has all features of a pattern, and others that lack one."""

Clauses = tuple[tuple[str, ...], tuple[str, ...]]  # words X of the clauses "and X is X" for premise and hypothesis


def search_run(
    run: StoredRun, spec: RunSpec, diagnosis: Diagnosis, predict: Predict | None = None, *, models: Sequence[str] = ()
) -> Diagnosis:
    """The diagnosis of a run with the results of a search in the models' answers; by default, of all models.

    With `predict`, models are run on new cases. Of a large run, the cases of some source pairs are searched.
    """
    evidence = read_evidence(run, spec)
    if evidence is None or not evidence.claims.any():
        return diagnosis
    search, profiles = PatternSearch(evidence, list(cases_read(run))), []
    for number, profile in enumerate(diagnosis.profiles):
        if models and profile.model not in models:
            profiles.append(profile)
            continue
        profiles.append(add_findings(profile, tuple(search.find(number, predict))))
    return msgspec.structs.replace(diagnosis, profiles=tuple(profiles))


def add_findings(profile: Profile, found: tuple[UnknownShortcut, ...]) -> Profile:
    """A model's profile with the results of a search, and a headline that names the first confirmed shortcut."""
    told = [_tell_confirmed(each) for each in found if each.confirmed][:1]
    headline = "; ".join([*([profile.headline] if profile.followed or not told else []), *told])
    return msgspec.structs.replace(profile, searched=found, headline=headline)


def is_searched(record: RunRecord) -> bool:
    """True if a run has the results of a search."""
    return record.diagnosis is not None and any(each.searched is not None for each in record.diagnosis.profiles)


def search_stored(record: RunRecord, folder: Path) -> RunRecord:
    """A stored run with the results of a search in its answers; no model is run, so nothing is confirmed."""
    diagnosis = record.diagnosis or diagnose_run(StoredRun.of(folder, record), record.spec)
    found = search_run(StoredRun.of(folder, record), record.spec, diagnosis)
    return msgspec.structs.replace(record, diagnosis=found)


def _tell_confirmed(found: UnknownShortcut) -> str:
    shares = f"{found.treated:.0%} of {found.new:,} new cases where that is wrong; {found.control:.0%} without"
    return f"answers {found.answer} if {found.rule} ({shares})"


class PatternSearch:
    """The cases of a run with their features, to search the answers of several models."""

    def __init__(self, evidence: Evidence, cases: Sequence[Case]) -> None:
        self.evidence, texts = evidence, [(case.premise, case.hypothesis) for case in cases]
        self._reader = FeatureReader(texts)
        self.table, self.features = self._reader.table(texts, 2 * FEWEST_CLUSTERS)
        unused = evidence.original & evidence.claims & held_out(evidence)
        if not unused.any():
            unused = evidence.claims & held_out(evidence)
        rng = KeyedRandom(0, transform="unknown-shortcuts")
        drawn = sorted(numpy.flatnonzero(unused).tolist(), key=lambda row: rng.keyed(cases[row].id).random())
        self._sources = [cases[row] for row in drawn]
        self._binary = not {*numpy.unique(evidence.label[evidence.claims])} & {1, 2}

    def find(self, model: int, predict: Predict | None = None) -> list[UnknownShortcut]:
        """The patterns in a model's answers; with `predict`, new cases are built and the model is run on them."""
        groups: dict[int, list[FoundPattern]] = {}
        for each in find_patterns(self.evidence, model, self.table):
            if each.is_clear:
                groups.setdefault(each.group, []).append(each)
        if not predict:
            return [_describe_shortcut(self._rule(group[0]), group[0], None, 1.0, NOT_RUN) for group in groups.values()]
        tests = sum(map(len, groups.values()))
        found = []
        for group in groups.values():
            tried = []
            for each in group:
                new = self._confirm(each, self._build(self._rule(each), each.answer), predict, model)
                p = min(1.0, tests * new.p) if new else 1.0
                tried.append(_describe_shortcut(self._rule(each), each, new, p, NOT_BUILT))
                if tried[-1].confirmed:
                    break
            found.append(tried[-1] if tried[-1].confirmed else tried[0])
        return found

    def _rule(self, pattern: FoundPattern) -> list[Feature]:
        return [self.features[int(name)] for name in pattern.features]

    def _build(self, rule: Sequence[Feature], answer: int) -> list[NewPairs]:
        """New pairs in two sets, with all features and with all but one, as balanced in labels as possible."""
        found: list[NewPairs] = []
        wanted = {LABELS[answer]: MOST_PAIRS // 3}
        counts: dict[Label | None, int] = {}
        for case in self._sources:
            if len(found) >= MOST_PAIRS:
                break
            is_wanted = counts.get(case.label, 0) < wanted.get(case.label or LABELS[0], MOST_PAIRS)
            if is_wanted and (new := self._arms(case, rule)):
                found.append(new)
                counts[case.label] = counts.get(case.label, 0) + 1
        return found

    def _arms(self, case: Case, rule: Sequence[Feature]) -> NewPairs | None:
        rng = KeyedRandom(0, transform=str(rule)).keyed(case.id)
        arms = []
        for missing in (None, *range(len(rule))):
            on = [number != missing for number in range(len(rule))]
            made = self._made(case, rule, on, rng)
            if made is None:
                return None
            arms.append(made)
        return case, arms

    def _made(self, case: Case, rule: Sequence[Feature], on: Sequence[bool], rng: KeyedRandom) -> Pair | None:
        """A pair with and without the features, and with a verified label; None if there is none."""
        for _ in range(3):  # a word may bring more than the requested features
            premise, hypothesis = list[str](), list[str]()
            for feature, there in zip(rule, on, strict=True):
                clauses = self._clauses(case, feature, there, rng)
                if clauses is None:
                    return None
                premise += clauses[0]
                hypothesis += clauses[1]
            pair = add_clauses(case, premise, hypothesis)
            if pair is None:
                return None
            found = self._reader.features(pair.premise, pair.hypothesis)
            if all((feature in found) == there for feature, there in zip(rule, on, strict=True)):
                return pair
        return None

    def _clauses(self, case: Case, feature: Feature, there: bool, rng: KeyedRandom) -> Clauses | None:
        """Words whose clauses give a pair the feature, or avoid it."""
        if feature.kind == "length":
            return _lengthen_text(case, feature, there)
        if feature.kind == "overlap":
            return self._shared(case, feature, there, rng)
        words = self._reader.words_with(feature) if there else self._reader.words_without(feature)
        if not words or feature in self._reader.features(case.premise, case.hypothesis):
            return None
        word = (rng.choice(words[:8] if there else words),)
        return (word, ()) if feature.side == "premise" else ((), word)

    def _shared(self, case: Case, feature: Feature, there: bool, rng: KeyedRandom) -> Clauses | None:
        """New words for both texts, the same or different ones, to raise or lower the number of shared words."""
        shared = there != feature.value.startswith("<")
        before = {*case.premise.lower().split(), *case.hypothesis.lower().split()}
        words = [word for word in self._reader.words_without(feature) if word not in before]
        if len(words) < 2 * MOST_CLAUSES:
            return None
        drawn = rng.sample(words, 2 * MOST_CLAUSES)
        claimed = tuple(drawn[:MOST_CLAUSES])
        return (claimed if shared else tuple(drawn[MOST_CLAUSES:])), claimed

    def _confirm(
        self, pattern: FoundPattern, built: Sequence[NewPairs], predict: Predict, model: int
    ) -> Confirmation | None:
        """The effect of a pattern's features on new cases; None if too few could be built."""
        labels = numpy.array([LABELS.index(source.label or LABELS[0]) for source, _ in built])
        if (labels != pattern.answer).sum() < FEWEST_NEW:
            return None
        pairs = [pair for _, arms in built for pair in arms]
        answers = predict(self.evidence.models[model], pairs).reshape(len(built), -1)  # (sources, arms)
        cluster = numpy.unique([source.cluster for source, _ in built], return_inverse=True)[1]
        compared = [ArmAnswers(labels, cluster, answers[:, 0], control) for control in answers.T[1:]]
        return confirm_pattern(compared, pattern.answer, binary=self._binary)


def _lengthen_text(case: Case, feature: Feature, there: bool) -> Clauses | None:
    """One clause, or as many as make a text long enough."""
    text = case.premise if feature.side == "premise" else case.hypothesis
    words = len(text.split())
    many = ceil((feature.limit - words + 1) / 4)
    if not 2 <= many <= MOST_CLAUSES:
        return None
    long = there != feature.value.startswith("<")
    clauses = (FILLER,) * (many if long else 1)
    return (clauses, ()) if feature.side == "premise" else ((), clauses)


@lru_cache(maxsize=4096)
def _clause_step(transform: str, word: str) -> BuildStep:
    options: dict[str, Option] = {"tautology": f"{word} is {word}", "times": 1}
    return BuildStep(Recipe(transform=transform, options=options, seed=0))


def add_clauses(case: Case, premise: Sequence[str], hypothesis: Sequence[str]) -> Pair | None:
    """The pair with "and X is X" added to its texts for each word X; None if the label can't be verified.

    The builders and the checks are those of `length-mismatch` and `word-overlap`.
    """
    if case.label is None:
        return None
    pair = Pair(id=case.id, premise=case.premise, hypothesis=case.hypothesis, label=case.label, group=case.group)
    for transform, words in (("length-mismatch/v1", premise), ("word-overlap/v1", hypothesis)):
        for word in words:
            [made] = _clause_step(transform, word).cases(pair)
            if not isinstance(made, Case):
                return None
            pair = msgspec.structs.replace(pair, premise=made.premise, hypothesis=made.hypothesis)
    return msgspec.structs.replace(pair, id=f"{case.id}+{'+'.join(premise)}/{'+'.join(hypothesis)}", root=case.root)


def _describe_shortcut(
    rule: Sequence[Feature], pattern: FoundPattern, new: Confirmation | None, p: float, why_not: str
) -> UnknownShortcut:
    tested = pattern.tested
    return UnknownShortcut(
        features=tuple(":".join(feature) for feature in rule),
        rule=" and ".join(_join_clauses(rule)),
        answer=LABELS[pattern.answer].value,
        n=tested.n,
        followed=tested.followed,
        base=tested.base,
        p=pattern.p,
        new=new.n if new else 0,
        treated=new.treated if new else None,
        control=new.control if new else None,
        new_p=p if new else None,
        confirmed=bool(new and is_confirmed(new, p)),
        why_not="" if new else why_not,
    )


def _join_clauses(rule: Sequence[Feature]) -> Iterator[str]:
    """The features as clauses; a repeated subject is left out."""
    before = ""
    for feature in rule:
        words = feature.words
        subject = " ".join(words.split()[:2])
        yield words.removeprefix(f"{subject} ") if subject == before else words
        before = subject


class NewCases:
    """Runs models on new cases, which are stored with the run, as are the answers."""

    def __init__(
        self,
        folder: Path,
        spec: RunSpec,
        how: PredictOptions,
        *,
        models: Mapping[str, Model | Learner | Adapter],
        pool: WorkerPool,
        stage: Stage,
    ) -> None:
        self._folder, self._spec, self._how, self._models = folder, spec, how, models
        self._pool, self._stage, self._number = pool, stage, 0

    def predict(self, name: str, pairs: Sequence[Pair]) -> Ints:
        """The codes of a model's answers to new pairs."""
        self._number += 1
        place = self._folder / f"{self._number}"
        shutil.rmtree(place, ignore_errors=True)  # an interrupted run may have left it
        distinct = {pair.id: pair for pair in pairs}
        recipe = Recipe(transform="original/v1", seed=0)
        suite = build_suite(corpus_of(list(distinct.values())), [recipe], place / "suites" / SEARCHED, pool=self._pool)
        progress = self._stage(f"Running {name} on new cases", len(suite))
        given, folder = self._models.get(name), place / "predictions" / folder_name(name)
        own = run_model(name, {SEARCHED: suite}, folder, pool=self._pool, progress=progress, how=self._how, given=given)
        encoder, labels, ids = Encoder(self._spec.label_space({SEARCHED: suite.manifest})), [], list[str]()
        for each in StoredRun(place, {SEARCHED: suite}, [own]).joined(SEARCHED, encoder):
            labels.append(labels_read(each, encoder, suite.manifest)[0])
            ids += [msgspec.json.decode(line, type=Case).origin for line in each.lines]
        found = dict(zip(ids, numpy.concatenate(labels).tolist(), strict=True))
        return numpy.array([found[pair.id] for pair in pairs])
