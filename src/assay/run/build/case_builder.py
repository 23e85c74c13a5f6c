"""From a batch of pairs to cases: the work of a worker of a build."""

import hashlib
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from assay.core import registry
from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit, Skip
from assay.core.errors import AssayError, ExternalError, UnknownNameError, UserError, in_foreign_code
from assay.core.label_space import LabelSpace
from assay.core.manifest import Slice
from assay.core.pair import Pair
from assay.core.protocols import Check, Excerpting, Foresighted, Sliced, Varied, WordReplacing
from assay.core.rng import KeyedRandom
from assay.corpora.in_memory import SeenIds
from assay.evaluate.surface_shortcuts import find_predictable
from assay.language.text.tokens import content_words, find_sentences
from assay.language.words.word_forms import looks_english
from assay.run.build.recipes import traits_of, transform_of
from assay.stress.across.check import AcrossCheck
from assay.stress.across.join_edits import AcrossSwitch, claim_of, edit_across

GUESSED = "its label can be guessed from surface features, like those of many others"
MOST_BALANCED = 200_000  # maximum number of cases of a suite that is balanced, because all of them are in memory then
NOT_DRAWN = ""  # the reason if nothing was wrong, but other cases of the pair were drawn

SliceCounts = Counter[tuple[str, str, bool, str]]  # by family, slice, whether cases are counted, label or reason


def count_slices(
    counts: SliceCounts, transform: Sliced, pair: Pair, made: Sequence[Case], proven: Sequence[Case | Skip]
) -> None:
    """Count the slices of a pair: its cases, and those that the check refused."""
    names = [case.group[transform.slice_by] for case in made]
    for name, found in zip(names, proven, strict=True):
        what = found.reason if isinstance(found, Skip) else found.compared_with.value
        counts[transform.family, name, isinstance(found, Case), what] += 1
    for name, skip in transform.slices_of(pair).items():
        if name not in names:
            counts[transform.family, name, False, skip.reason if skip else NOT_DRAWN] += 1


def describe_slices(counts: SliceCounts, transform: Sliced, *, pairs: int) -> dict[str, Slice]:
    """Every slice of a transform, by name; a slice without any case says so."""
    found = {}
    for name in transform.slices():
        here = sorted((key[2:], n) for key, n in counts.items() if key[:2] == (transform.family, name) and n)
        cases = {what: n for (is_case, what), n in here if is_case}
        skips = {what: n for (is_case, what), n in here if not is_case}
        not_drawn = skips.pop(NOT_DRAWN, 0)
        if not (cases or skips or not_drawn):
            skips = {transform.absent: pairs}
        found[name] = Slice(cases=cases, skips=skips, not_drawn=not_drawn)
    return found


NOT_ENGLISH = Skip("plainly not English")
LONGEST = 20_000  # characters in a text: longer ones are books, which no model here reads to the end
TOO_LONG = Skip(f"a text has more than {LONGEST:,} characters")
MOST = 20_000_000  # characters in all cases of a pair: a change in each word of a long text would fill the memory
TOO_MANY = Skip(f"its cases would have more than {MOST:,} characters")
LEFT_OUT = (NOT_ENGLISH, TOO_LONG, TOO_MANY)  # reasons to leave out a whole pair, in every slice of a family
OUR_TOKENS = "pairs with cases have no parses: our own tokens and tags were used"
LEFT_IN = "pairs that are plainly not English were left in, as the original does"

TOGETHER = 32  # pairs that go through a stage together; what families compute about twice as many is cached
Tallies = dict[str, dict[str, int]]

REPEATED = "an earlier pair or another family gave the same case"
ENOUGH = "its word pair or premise has enough cases"

SHARE = 10  # a word pair makes up at most one in this many cases of a family with at least as many pairs


class Distinct(msgspec.Struct, array_like=True):
    """A case that several pairs may give, but that may be only once in a suite."""

    line: int  # its line in the part, from 0
    key: str
    family: str
    label: str
    slice: str  # the slice that it is counted in; empty if there is none
    words: str = ""  # the word pair or the premise of the case, if cases of these are limited; otherwise empty


def word_limit(recipe: Recipe) -> int | None:
    """Limit on cases of a word pair or premise that a recipe makes: 0 for no limit, None for a fraction of its family.

    The fidelities `paper` and `code` have no limit, unless the user sets one.
    """
    transform = transform_of(recipe)
    if not isinstance(transform, WordReplacing):
        return premise_limit(recipe)
    return 0 if transform.per_word_pair is None and not recipe.claims_labels else transform.per_word_pair


def premise_limit(recipe: Recipe) -> int:
    """Maximum number of cases of a premise that a recipe makes; 0 for no limit."""
    limited = recipe.claims_labels and not recipe.options.get("across")
    return traits_of(recipe.transform).per_premise if limited else 0


class WordPairLimit:
    """The cases of each word pair of each family."""

    def __init__(self) -> None:
        self._cases: defaultdict[str, defaultdict[str, dict[int, Distinct]]] = defaultdict(lambda: defaultdict(dict))

    def add(self, line: int, case: Distinct) -> None:
        self._cases[case.family][case.words][line] = case

    def beyond(self, limits: Mapping[str, int | None]) -> dict[int, Distinct]:
        """The lines of the cases beyond the limits; the choice depends only on the texts."""
        dropped: dict[int, Distinct] = {}
        for family, pairs in self._cases.items():
            most = limits[family] or tenth(Counter({words: len(cases) for words, cases in pairs.items()}))
            for cases in pairs.values():
                in_order = sorted(cases.items(), key=lambda each: each[1].key)
                dropped.update(in_order[most:])
        return dropped


def tenth(counts: Mapping[str, int]) -> int:
    """The largest number of cases per word pair that is a tenth of all; no limit if there are too few pairs.

    >>> tenth({"man/woman": 90, **dict.fromkeys("abcdefghij", 5)}), tenth({"man/woman": 90})
    (5, 90)
    """
    most = max(counts.values(), default=0)
    if len(counts) < SHARE:
        return most
    while sum(min(count, most) for count in counts.values()) < SHARE * most:
        most -= 1
    return most


class PartSummary(msgspec.Struct, kw_only=True):
    """Counts of one part of a build."""

    pairs: int
    counts: Tallies
    skips: Tallies
    notes: Tallies  # notes about pairs for the user, counted by family and note
    distinct: list[Distinct]
    slices: list[tuple[str, str, bool, str, int]]  # cases and skips of families that have slices, as in `SliceCounts`


class Tally:
    """Adds up the counts of the parts, and drops repeated cases."""

    def __init__(self) -> None:
        self.cases = 0
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.skips: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.notes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.slices: SliceCounts = Counter()
        self._seen = SeenIds()
        self._words = WordPairLimit()

    def add(self, part: bytes) -> tuple[bytes, int]:
        """Count a part; returns its cases without duplicates of earlier ones, and how many pairs it was made from."""
        head, _, cases = part.partition(b"\n")
        summary = msgspec.json.decode(head, type=PartSummary)
        first = self.cases
        for family, labels in summary.counts.items():
            self.counts[family].update(labels)
            self.cases += sum(labels.values())
        for total, part_of_it in ((self.skips, summary.skips), (self.notes, summary.notes)):
            for family, found in part_of_it.items():
                total[family].update(found)
        for family, name, is_case, what, n in summary.slices:
            self.slices[family, name, is_case, what] += n
        fresh = {each.line: self._seen.add(each.key) for each in summary.distinct}
        repeated = [each for each in summary.distinct if not fresh[each.line]]
        gone = [each.line for each in repeated]
        for each in summary.distinct:
            if each.words and fresh[each.line]:
                self._words.add(first + each.line - bisect(gone, each.line), each)
        if repeated:
            lines = cases.split(b"\n")
            for each in reversed(repeated):
                del lines[each.line]
                self._drop(each, REPEATED)
            cases = b"\n".join(lines)
        return cases, summary.pairs

    def limit(self, recipes: Sequence[Recipe]) -> set[int]:
        """Leave out cases of word pairs that have too many, and return the numbers of their lines."""
        limits = {traits_of(each.transform).family: word_limit(each) for each in recipes}
        dropped = self._words.beyond(limits)
        for each in dropped.values():
            self._drop(each, ENOUGH)
        return {*dropped}

    def balance(self, recipes: Sequence[Recipe], cases: Iterator[Case], space: LabelSpace) -> set[int]:
        """Leave out cases whose labels a shortcut guesses, and return the numbers of their lines."""
        balanced = {
            traits.family: transform_of(recipe)
            for recipe in recipes
            if recipe.claims_labels
            and ((traits := traits_of(recipe.transform)).balanced or recipe.options.get("across"))
        }
        if not balanced:
            return set()
        made = [*cases] if self.cases <= MOST_BALANCED else []
        dropped = find_predictable(made, balanced, space)
        for number in dropped:
            case, transform = made[number], balanced[made[number].family]
            part = case.group[transform.slice_by] if isinstance(transform, Sliced) else ""
            self._drop(Distinct(number, "", case.family, case.compared_with, part), GUESSED)
        return {*dropped}

    def _drop(self, case: Distinct, reason: str) -> None:
        self.counts[case.family][case.label] -= 1
        self.skips[case.family][reason] += 1
        if case.slice:
            self.slices[case.family, case.slice, True, case.label] -= 1
            self.slices[case.family, case.slice, False, reason] += 1
        self.cases -= 1

    def told(self) -> tuple[str, ...]:
        return tuple(f"{name}: {count:,} {note}" for name, notes in self.notes.items() for note, count in notes.items())


LONG = 150  # words of a premise that is long: twice as many are about what a model with 512 tokens takes
TRIES = 40  # sentences that are tried until a family makes a case of one: a bound on the work of a book
NO_END = Skip("the long premise has no sentence of its own that is short enough")
NO_SENTENCE = Skip("no single sentence of the long premise has half of the hypothesis's words")


class Excerpt(NamedTuple):
    """One sentence in place of a long premise."""

    pair: Pair
    number: int  # its number among the sentences of the premise, from 1
    of: int

    def mark(self, edit: Edit) -> Edit:
        """The edit, marked with the sentence that it changes."""
        return msgspec.structs.replace(edit, facts={**edit.facts, "sentence": f"{self.number} of {self.of}"})


def is_long(text: str) -> bool:
    """True if a text is too long to be made a hypothesis.

    >>> is_long("It rains."), is_long("It rains. " * 100)
    (False, True)
    """
    return len(text) > 2 * LONG and len(text.split(None, LONG)) > LONG


def excerpt(pair: Pair, how: Excerpting, gives: Callable[[Pair], bool]) -> Excerpt | Skip:
    """The sentence that a family is built from.

    `nearest` is the sentence with most of the hypothesis's words, which must be half of them or more. `provable` is
    the first, in that order, that gives the family a case; if none does, the nearest.
    """
    candidates = list(_rank_sentences(pair))
    if not candidates:
        return NO_END
    if how == "nearest":
        claimed = content_words(pair.hypothesis)
        shared = claimed & content_words(candidates[0].pair.premise)
        return candidates[0] if claimed and 2 * len(shared) >= len(claimed) else NO_SENTENCE
    return next((each for each in candidates[:TRIES] if gives(each.pair)), candidates[0])


def _rank_sentences(pair: Pair) -> Iterator[Excerpt]:
    """The sentences of the premise, those that share most words with the hypothesis first."""
    claimed = content_words(pair.hypothesis)
    spans = find_sentences(pair.premise)
    texts = [pair.premise[start:end] for start, end in spans]
    order = sorted(range(len(texts)), key=lambda i: (-len(claimed & content_words(texts[i])), i))
    for i in order:
        if not is_long(texts[i]):
            yield Excerpt(msgspec.structs.replace(pair, premise=texts[i], parses=None), i + 1, len(texts))


class BuildStep:
    """A recipe with everything needed to apply it."""

    def __init__(self, recipe: Recipe, *, in_foreign: bool = False) -> None:
        self.recipe = recipe
        self.in_foreign = in_foreign
        self.transform = transform_of(recipe)
        self.rng = KeyedRandom(recipe.seed, transform=recipe.transform)
        self.across = self.transform if isinstance(self.transform, AcrossSwitch) and self.transform.across else None
        self.check = _check_for(recipe)
        traits = traits_of(recipe.transform)
        self.family = traits.family
        self.reads_english = traits.english or bool(traits.uses)
        self.english_only = bool(traits.uses) or recipe.claims_labels
        self.wants_parses = bool(recipe.options.get("parses", not recipe.claims_labels))
        self.notes: Counter[str] = Counter()
        self.sliced = self.transform if isinstance(self.transform, Sliced) else None
        self.slices: SliceCounts = Counter()
        self.distinct = traits.distinct
        self.replacing = self.transform if isinstance(self.transform, WordReplacing) else None
        self.words = self.replacing if word_limit(recipe) != 0 else None
        self.by_premise = bool(premise_limit(recipe))
        self.any_length = traits.any_length
        self.excerpt: Excerpting = traits.excerpt if recipe.claims_labels and not self.across else ""
        self.name = step_name(recipe)

    def cases(self, pair: Pair) -> list[Case | Skip]:
        """The cases of a pair, verified if necessary, or the reason why there are none."""
        return self.of_all([pair])[0]

    def of_all(self, pairs: Sequence[Pair]) -> list[list[Case | Skip]]:
        """The same for several pairs, stage by stage, which keeps the code of a stage in the processor's cache."""
        family, recipe, check = self.family, self.recipe, self.check
        unit = self.replacing.word_pair if self.replacing else None  # the words that an edit exchanges
        given = [
            excerpt(pair, self.excerpt, self._proves) if self.excerpt and is_long(pair.premise) else None
            for pair in pairs
        ]
        pairs = [each.pair if isinstance(each, Excerpt) else pair for each, pair in zip(given, pairs, strict=True)]
        drawn = [each if isinstance(each, Skip) else self._edits(pair) for each, pair in zip(given, pairs, strict=True)]
        drawn = [
            [each.mark(edit) for edit in edits] if isinstance(each, Excerpt) and isinstance(edits, list) else edits
            for each, edits in zip(given, drawn, strict=True)
        ]
        made: list[list[Case]] = [
            [
                case_from(pair, edit, family=family, recipe=recipe, number=n, unit=unit(edit) if unit else "")
                for n, edit in enumerate(edits)
            ]
            if isinstance(edits, list)
            else []
            for pair, edits in zip(pairs, drawn, strict=True)
        ]
        proven: list[list[Case | Skip]] = [
            ([check(case) or case for case in cases] if check else [*cases]) if isinstance(edits, list) else [edits]
            for cases, edits in zip(made, drawn, strict=True)
        ]
        if self.sliced:
            for pair, edits, cases, results in zip(pairs, drawn, made, proven, strict=True):
                if edits not in LEFT_OUT:
                    own = claim_of(pair) if self.across else pair
                    count_slices(self.slices, self.sliced, own, cases, results if cases else [])
        return proven

    def _proves(self, pair: Pair) -> bool:
        """True if a case is built from the premise of a pair and its label is verified."""
        edits = self._edits(pair)
        if isinstance(edits, Skip):
            return False
        own = [edit for edit in edits if "premise" in (edit.premise_from, edit.hypothesis_from)]
        cases = (case_from(pair, edit, family=self.family, recipe=self.recipe) for edit in own)
        return any(self.check is None or self.check(case) is None for case in cases)

    def _edits(self, pair: Pair) -> list[Edit] | Skip:
        longest = max(len(pair.premise), len(pair.hypothesis))
        if longest > LONGEST and not self.any_length:
            return TOO_LONG
        if self.reads_english and _not_english(pair.premise, pair.hypothesis, self.in_foreign):
            if self.english_only:
                return NOT_ENGLISH
            self.notes[LEFT_IN] += 1
        rng = self.rng.keyed(pair.id)
        edits = edit_across(self.across, pair, rng) if self.across else self.transform(pair, rng)
        if isinstance(edits, list) and len(edits) > 1 and 2 * len(edits) * longest > MOST:
            return TOO_MANY
        if self.wants_parses and isinstance(edits, list) and any(edit.facts.get("tokens") == "ours" for edit in edits):
            self.notes[OUR_TOKENS] += 1
        return edits


def step_name(recipe: Recipe) -> str:
    """The name of a recipe in a manifest: its family, with its variant if it has one."""
    transform, family = transform_of(recipe), traits_of(recipe.transform).family
    variant = transform.variant if isinstance(transform, Varied) else ""
    return f"{family}:{variant}" if variant else family


def step_names(recipes: Sequence[Recipe]) -> dict[bytes, str]:
    """The names of several recipes, by the recipe as JSON; those that are not installed here are left out."""
    found = {}
    for recipe in recipes:
        with suppress(UnknownNameError):
            found[msgspec.json.encode(recipe)] = step_name(recipe)
    return found


@cache
def check_of(transform: str) -> Check | None:
    """The check that belongs to a transform, if there is one."""
    try:
        kind: type[Check] | None = getattr(registry.transforms.get(transform), "check", None)
    except UnknownNameError:
        return None
    return kind() if kind else None


def _check_for(recipe: Recipe) -> Check | None:
    """The check of a recipe's cases, if their labels must be verified."""
    check = check_of(recipe.transform) if recipe.claims_labels else None
    return AcrossCheck(check) if check and recipe.options.get("across") else check


def refuse_unprovable(recipes: Sequence[Recipe]) -> None:
    """Stop if a check knows in advance that no case of a recipe can be verified."""
    for recipe in recipes:
        check = _check_for(recipe)
        why: str = check.foresee(transform_of(recipe)) if isinstance(check, Foresighted) else ""
        if why:
            raise UserError(why)


def unproven(case: Case) -> str:
    """The reason why the label of a case can't be verified; empty if it can, or if its recipe does not claim it."""
    recipe = case.provenance.recipe
    check = _check_for(recipe)
    found = check(case) if check else None
    return found.reason if found else ""


def make_cases(batch: bytes, recipes: tuple[Recipe, ...], in_foreign: bool = False) -> bytes:
    """The cases of a batch of pairs as JSON lines, after a line that counts them; runs in a worker.

    In a corpus that is plainly not English (`in_foreign`), a pair has to show that it is.
    """
    pairs = msgspec.json.decode(batch, type=list[Pair])
    encode = msgspec.json.Encoder(order="deterministic").encode
    steps = [BuildStep(recipe, in_foreign=in_foreign) for recipe in recipes]
    counts: dict[str, Counter[str]] = {step.family: Counter() for step in steps}
    skips: dict[str, Counter[str]] = {step.name: Counter() for step in steps}
    lines: list[bytes] = []
    distinct: list[Distinct] = []
    for step, made in _run_steps(steps, pairs):
        if not isinstance(made, Case):
            skips[step.name][made.reason] += 1
            continue
        if step.distinct:
            part = made.group[step.sliced.slice_by] if step.sliced else ""
            words = made.cluster if step.by_premise else ""
            if step.words:
                words = step.words.word_pair(made.provenance.edit)
            key = _digest_texts(made, of_family=not step.recipe.claims_labels)
            distinct.append(Distinct(len(lines), key, made.family, made.compared_with, part, words))
        counts[made.family][made.compared_with] += 1
        lines.append(encode(made))
    summary = PartSummary(
        pairs=len(pairs),
        counts={family: dict(labels) for family, labels in counts.items()},
        skips={name: dict(reasons) for name, reasons in skips.items()},
        notes={step.name: dict(step.notes) for step in steps if step.notes},
        distinct=distinct,
        slices=[(*key, n) for step in steps for key, n in step.slices.items()],
    )
    return b"\n".join([msgspec.json.encode(summary), *lines, b""])


def _run_steps(steps: Sequence[BuildStep], pairs: Sequence[Pair]) -> Iterator[tuple[BuildStep, Case | Skip]]:
    """The results of the steps: everything from the first pair, then everything from the second."""
    for start in range(0, len(pairs), TOGETHER):
        some = pairs[start : start + TOGETHER]
        by_step = [made_by(step, some) for step in steps]
        for of_pair in zip(*by_step, strict=True):
            for step, results in zip(steps, of_pair, strict=True):
                for made in results:
                    yield step, made


def made_by(step: BuildStep, pairs: Sequence[Pair]) -> list[list[Case | Skip]]:
    """The results of a step for some pairs; an error in third-party code names the pair."""
    try:
        return step.of_all(pairs)
    except (AssayError, MemoryError):
        raise
    except Exception as error:  # a third-party transform or check may fail in any way
        if len(pairs) > 1:  # one by one, to name the pair
            return [made_by(step, [pair])[0] for pair in pairs]
        text = f"{step.recipe.transform} failed on pair {pairs[0].id!r}: {type(error).__name__}: {error}"
        raise in_foreign_code(ExternalError(text)) from error


@lru_cache(maxsize=2 * TOGETHER)  # several families ask about the same pairs
def _not_english(premise: str, hypothesis: str, in_foreign: bool) -> bool:
    return not looks_english(f"{premise} {hypothesis}", in_foreign=in_foreign)


def _digest_texts(case: Case, *, of_family: bool) -> str:
    """A digest of a case's texts; verified cases of two families with the same texts are the same case."""
    family, severity = case.family if of_family else "", case.group.get("severity", "")
    text = f"{family}\0{case.variant}\0{severity}\0{case.premise}\0{case.hypothesis}"
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
