"""Where a sample for annotators is drawn from: a suite, a corpus, or the errors of a model in a stored run."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from assay.bench.annotation.errors import wrong_answers
from assay.bench.annotation.questions import LayoutName
from assay.bench.judge.score import pair_as_case
from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.fetching import local
from assay.core.label import Label, are_two, own_names
from assay.core.suite import Suite
from assay.corpora.reading import read


class Drawable(NamedTuple):
    """What cases are drawn from."""

    cases: Iterable[Case]
    """The cases."""
    two_way: bool
    """Whether all of them have two labels."""
    names: dict[str, str]
    """The user's own names for labels, each with our name."""
    answers: dict[str, Label] | None = None
    """A model's wrong answers, if its errors are sorted."""


def drawn_from(
    source: str | Path,
    layout: LayoutName,
    *,
    model: str | None = None,
    two_way: bool | None = None,
    reading: Mapping[str, Any] | None = None,
) -> Drawable:
    """The cases of a suite's folder or a corpus, or what a model of a run got wrong if its errors are to be sorted."""
    folder = local(source)
    if layout == "errors":
        if (folder / "manifest.json").is_file() or not folder.is_dir():
            raise UserError(
                f"{source} is not a run: --layout errors draws from what a model got wrong in a run.\n"
                "  Make a run with `assay run`, and name its folder."
            )
        errors = wrong_answers(folder, model)
        return Drawable(errors.cases, errors.two_way, errors.names, errors.answers)
    if (folder / "manifest.json").is_file():
        manifest = (suite := Suite.open(folder)).manifest
        return Drawable(suite, manifest.source.two_way if two_way is None else two_way, manifest.names)
    options = reading or {}
    names = own_names(options.get("labels") or {})
    corpus = read(source, **options)
    return Drawable(map(pair_as_case, corpus), are_two(names.values()) if two_way is None else two_way, names)
