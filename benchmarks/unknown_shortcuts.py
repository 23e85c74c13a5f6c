# ruff: noqa: ARG005 - rules and noise have the same parameters, whether or not they need them
"""How many planted rules the search for unknown shortcuts names, and how many honest models get one.

Models answer by a rule that no family tests, with noise of several kinds, and are run again on new cases.
SliceLine's score is searched over the same features.
"""

import argparse
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy

import assay
from assay.core.case import Case
from assay.core.judgement import UnknownShortcut
from assay.core.label_space import LABELS
from assay.evaluate.case_columns import Bools, Ints
from assay.evaluate.diagnose.rule_search import held_out, usable_features
from assay.evaluate.diagnose.shortcut_rules import CONTRADICTION, ENTAILMENT, NEUTRAL, NON_ENTAILMENT, ground_of
from assay.evaluate.intervals import wilson
from assay.language.text.tokens import folded_words
from assay.run.diagnose_run import read_evidence
from assay.run.find_shortcuts import PatternSearch
from assay.run.stored_run import StoredRun, run_folder

E, N, C = ENTAILMENT, NEUTRAL, CONTRADICTION
Fires = Callable[[str, str], bool]
Noise = Callable[[str, str, int, float, float], int]

SEASONED = "red blue green white black yellow brown pink orange purple grey gray golden silver".split()  # noqa: SIM905


def claim(pattern: str) -> Fires:
    found = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return lambda premise, hypothesis: bool(found.search(hypothesis))


def said(pattern: str) -> Fires:
    found = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return lambda premise, hypothesis: bool(found.search(premise))


def both(one: Fires, other: Fires) -> Fires:
    return lambda premise, hypothesis: one(premise, hypothesis) and other(premise, hypothesis)


def long_claim(words: int) -> Fires:
    return lambda premise, hypothesis: len(folded_words(hypothesis)) >= words


def short_claim(words: int) -> Fires:
    return lambda premise, hypothesis: len(folded_words(hypothesis)) < words


def long_premise(words: int) -> Fires:
    return lambda premise, hypothesis: len(folded_words(premise)) >= words


PEOPLE = "doctors?|judges?|lawyers?|senators?|presidents?|artists?|actors?|authors?|managers?|professors?|bankers?"
PEOPLE += "|scientists?|students?|tourists?|secretar(?:y|ies)|athletes?"
TIMES = "years?|days?|hours?|minutes?|weeks?|months?|morning|evening|night|today|time|times|afternoon|weekend|season"
MODALS = "should|can|could|will|would|may|might|must"

RULES: dict[str, tuple[Fires, int]] = {
    **{
        f'the claim has "{word}"': (claim(word), answer)
        for word, answer in zip(
            "of in at to more it on was that for who all from but by most with an".split(),  # noqa: SIM905
            cycle((C, N, E)),
            strict=False,
        )
    },
    **{
        f'the premise has "{word}"': (said(word), answer)
        for word, answer in zip("of with to at on had for from".split(), cycle((N, C, E)), strict=False)  # noqa: SIM905
    },
    "the claim has a colour": (claim("|".join(SEASONED)), C),
    "the claim names a profession": (claim(PEOPLE), N),
    "the claim has a noun of time": (claim(TIMES), C),
    "the claim has a modal verb": (claim(MODALS), N),
    "the claim has an -ing word": (claim(r"\w{3,}ing"), C),
    "the claim has a pronoun": (claim("he|she|it|they|him|her|them|we|you|i"), E),
    "the claim has his, her, its or their": (claim("his|her|its|their|my|our|your"), N),
    "the claim has a comparative": (claim("more|less|fewer|better|worse|older|higher|lower|larger|smaller"), E),
    "the premise has a colour": (said("|".join(SEASONED)), N),
    'the claim has "more" and the premise has at least 14 words': (both(claim("more"), long_premise(14)), C),
    'the claim has "in" and at least 10 words': (both(claim("in"), long_claim(10)), C),
    "the claim names a profession and fewer than 6 words": (both(claim(PEOPLE), short_claim(6)), C),
    'the claim has "of" and the premise has "to"': (both(claim("of"), said("to")), N),
    'the claim has "the" and the premise has "and"': (both(claim("the"), said("and")), E),
}
"""Rules that no family tests and no known shortcut describes, with the answers that they give."""


def _wrong(gold: int, draw: float) -> int:
    return (gold + 1 + (draw < 0.5)) % 3


def _even(accuracy: float) -> Noise:
    return lambda premise, hypothesis, gold, one, two: gold if one < accuracy else _wrong(gold, two)


NOISE: dict[str, Noise] = {
    "right on 95%": _even(0.95),
    "right on 80%": _even(0.8),
    "right on 65%": _even(0.65),
    "guesses 40%": lambda premise, hypothesis, gold, one, two: gold if one < 0.6 else int(3 * two),
    "prefers neutral when wrong": lambda premise, hypothesis, gold, one, two: (
        gold if one < 0.75 else N if two < 0.8 else int(3 * two)
    ),
    "harder if long": lambda premise, hypothesis, gold, one, two: (
        gold if one > min(0.6, len(premise) / 250) else _wrong(gold, two)
    ),
    "harder with a number": lambda premise, hypothesis, gold, one, two: (
        gold if one > (0.5 if re.search(r"\d", hypothesis) else 0.1) else _wrong(gold, two)
    ),
    "the same within a premise": lambda premise, hypothesis, gold, one, two: (
        gold if _unit(premise[:20]) < 0.75 else _wrong(gold, _unit(premise[:20] + "2"))
    ),
}
"""Ways in which an honest answerer errs."""


def _unit(text: str) -> float:
    return crc32(text.encode()) / 2**32


class Simulated(NamedTuple):
    """A model that answers by a rule where it fires, mostly, and errs by chance elsewhere."""

    seed: int
    noise: Noise
    fires: Fires = lambda premise, hypothesis: False
    says: int = C
    reliance: float = 0.9

    def answer(self, premise: str, hypothesis: str, label: Any) -> int:
        one, two, three = (_unit(f"{self.seed} {part} {premise} | {hypothesis}") for part in range(3))
        if three < self.reliance and self.fires(premise, hypothesis):
            return self.says
        gold = N if LABELS.index(label) == NON_ENTAILMENT else LABELS.index(label)
        return self.noise(premise, hypothesis, gold, one, two)


class Bench:
    """The cases of a default run."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            record = assay.run(assay.read("bundled"), models=["assay:majority"], out=folder)
            run = StoredRun.of(run_folder(record), record)
            evidence = read_evidence(run, record.spec)
            assert evidence
            lines = [line for _, suite in sorted(run.suites.items()) for line in suite.lines()]
        self.cases = [msgspec.json.decode(line, type=Case) for line in lines]
        self.evidence = evidence
        self.search = PatternSearch(evidence, self.cases)
        cluster = ground_of(evidence).cluster
        self.usable = usable_features(self.search.table, cluster, evidence.claims, ~held_out(evidence))

    def find(self, model: Simulated) -> list[UnknownShortcut]:
        """Rules that the search finds, with which of them are confirmed on new cases."""
        answers = [model.answer(case.premise, case.hypothesis, case.compared_with) for case in self.cases]
        self.search.evidence = self.evidence._replace(answers=numpy.array(answers)[None])

        def predict(_: str, pairs: Sequence[Any]) -> Ints:
            return numpy.array([model.answer(pair.premise, pair.hypothesis, pair.label) for pair in pairs])

        return self.search.find(0, predict)

    def fires(self, rule: UnknownShortcut) -> Bools:
        """(cases,) Where a rule has all of its features."""
        place = {":".join(feature): number for number, feature in enumerate(self.search.features)}
        return numpy.asarray(self.search.table.holds[:, [place[name] for name in rule.features]].all(axis=1))

    def planted(self, fires: Fires) -> Bools:
        return numpy.array([fires(case.premise, case.hypothesis) for case in self.cases])


def matches(found: Bools, planted: Bools, among: Bools) -> bool:
    """True if a slice is mostly where the rule is, and the rule mostly where the slice is."""
    shared = (found & planted & among).sum()
    return bool(shared >= 0.8 * (found & among).sum() and shared >= 0.5 * (planted & among).sum())


def overlap(found: Bools, planted: Bools, among: Bools) -> str:
    shared = (found & planted & among).sum()
    own, whole = ((each & among).sum() for each in (found, planted))
    return f"({shared / max(own, 1):.2f} of it, {shared / max(whole, 1):.2f} of the rule)"


def sliceline(bench: Bench, wrong: Bools, *, alpha: float = 0.95, top: int = 6) -> Iterator[Bools]:
    """(cases,) The worst slices of one or two features: the highest scores of SliceLine, over all slices.

    Its package (0.3) needs more than 9 GB for as many features; `--check` compares the two on some of them.
    """
    among = bench.evidence.claims
    holds = bench.search.table.holds[:, bench.usable]
    holds = numpy.concatenate([holds, ~holds], axis=1)
    for _, columns in best_slices(holds[among], wrong[among], alpha=alpha, top=top):
        yield numpy.asarray(holds[:, columns].all(axis=1))


def best_slices(
    holds: Bools, wrong: Bools, *, alpha: float, top: int, least: int = 40
) -> list[tuple[float, list[int]]]:
    """The slices with the highest scores: alpha times the surplus of errors, less a penalty for their rarity."""
    there = holds.astype(numpy.float32)
    sizes = there.T @ there  # (features, features), slices of one feature on the diagonal
    errors = (there * wrong[:, None].astype(numpy.float32)).T @ there
    safe = numpy.maximum(sizes, 1)
    scores = alpha * (errors / safe / wrong.mean() - 1) - (1 - alpha) * (len(wrong) / safe - 1)
    scores = numpy.triu(numpy.where(sizes >= least, scores, -numpy.inf)) + numpy.tril(
        numpy.full(sizes.shape, -numpy.inf), -1
    )
    places = numpy.argsort(-scores, axis=None, kind="stable")[:top]
    return [(float(scores.flat[place]), sorted({*map(int, divmod(int(place), len(sizes)))})) for place in places]


def check_sliceline(bench: Bench, wrong: Bools) -> None:
    """Compare the scores with those of the package (`pip install sliceline`) on some features."""
    from sliceline.slicefinder import Slicefinder  # type: ignore[import-not-found]

    among, some = bench.evidence.claims, bench.search.table.holds[:, bench.usable[::20]]
    finder = Slicefinder(alpha=0.95, k=6, max_l=2, min_sup=40, verbose=False)
    finder.fit(some[among].astype(int), wrong[among].astype(float))
    theirs = [float(each["slice_score"]) for each in finder.top_slices_statistics_]
    both = numpy.concatenate([some, ~some], axis=1)[among]
    ours = [score for score, _ in best_slices(both, wrong[among], alpha=0.95, top=6)]
    print(f"SliceLine on {some.shape[1]} features: its package {numpy.round(theirs, 3)}, here {numpy.round(ours, 3)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=33, help="seed of all draws (default: 33)")
    parser.add_argument("--honest", type=int, default=200, help="honest models (default: 200)")
    parser.add_argument("--rules", type=int, default=len(RULES), help="planted rules (default: all)")
    parser.add_argument("--reliance", type=float, default=0.9, help="share of cases that a rule decides where it fires")
    parser.add_argument("--check", action="store_true", help="compare SliceLine's scores with those of its package")
    options = parser.parse_args()
    bench = Bench()
    among = bench.evidence.claims
    rules = list(RULES.items())[: options.rules]
    named = theirs = clear_only = others = 0
    for number, ((rule, (fires, says)), (kind, noise)) in enumerate(zip(rules, cycle(NOISE.items()), strict=False)):
        started = time.monotonic()
        model = Simulated(options.seed + number, noise, fires, says, options.reliance)
        found = bench.find(model)
        planted = bench.planted(fires)
        own = [matches(bench.fires(each), planted, among) and each.answer == LABELS[says].value for each in found]
        is_named = any(hit and each.confirmed for hit, each in zip(own, found, strict=True))
        named += is_named
        clear_only += any(own) and not is_named
        others += any(each.confirmed and not hit for hit, each in zip(own, found, strict=True))
        wrong = ~bench.search.evidence.right[0]
        hit = any(matches(each, planted, among) for each in sliceline(bench, wrong))
        theirs, peer = theirs + hit, f"; SliceLine {'yes' if hit else 'no'}"
        if options.check and not number:
            check_sliceline(bench, wrong)
        told = "; ".join(
            f"{each.rule} -> {each.answer}{'!' if each.confirmed else ''} {overlap(bench.fires(each), planted, among)}"
            for each in found
        )
        cases, seconds = int((planted & among).sum()), time.monotonic() - started
        result = "named" if is_named else "missed"
        print(f"{result} | {rule} | {kind} | {cases} | {told}{peer} | {seconds:.0f} s", flush=True)
    if rules:
        low, high = wilson(named / len(rules), len(rules))
        share = f"{named} of {len(rules)} rules named ({low:.0%} to {high:.0%})"
        print(f"{share}, {clear_only} more found but not confirmed")
        print(f"{others} models with another rule that was confirmed; SliceLine found {theirs}", flush=True)
    false = 0
    for draw, (kind, noise) in zip(range(options.honest), cycle(NOISE.items()), strict=False):
        found = bench.find(Simulated(options.seed + 10_000 + draw, noise))
        false += any(each.confirmed for each in found)
        if found:
            print(kind, [(each.rule, each.confirmed) for each in found], flush=True)
    if options.honest:
        print(f"{false} of {options.honest} honest models have an unknown shortcut", flush=True)


if __name__ == "__main__":
    main()
