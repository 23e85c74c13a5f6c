"""Shards: parts of the work of a build, a run or a verification, each in a folder that says what it belongs to."""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core.case import Recipe
from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Corpus
from assay.core.serialise import from_json, to_json
from assay.run.api import planned_run
from assay.run.build.case_builder import PartSummary
from assay.run.build.suite_builder import PARTS, Problems, look_at_language, planned_work
from assay.run.build.suite_cache import places_of, suites_of
from assay.run.execute import key_of, prepare_predictions
from assay.run.predict.model_names import folder_name
from assay.run.predict.predict_suites import predict_shard
from assay.run.run_options import RunOptions
from assay.run.verify_stored import Verified, examine, proven
from assay.run.workers.engines import engine_pool
from assay.run.workers.pool import (
    BATCH,
    INLINE,
    Stage,
    WorkerPool,
    pair_batches,
    part_folder,
    parts,
    quiet,
)
from assay.storage.answer_cache import ROWS, AnswerCache, cached_answers_path, read_rows
from assay.storage.files import Kind, digest, files_in, folder_aside, path_aside, write_whole
from assay.storage.remote import bring_back, stand_in
from assay.storage.suite import Suite
from assay.version import __version__

CARD = "shard.json"
SHARDS = ".shards"  # the end of the name of a folder of shards
CARD_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shares of the same work."""

    index: int
    count: int
    words: tuple[str, ...] = ()  # the command that makes it, without `--shard`

    @classmethod
    def parse(cls, text: str, words: Sequence[str] = ()) -> "Shard":
        """The shard that `I/N` means.

        >>> Shard.parse("2/7").folder
        '2-of-7'
        """
        found = re.fullmatch(r"(\d+)/(\d+)", text.strip())
        index, count = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= index <= count:
            raise UserError(f"{text!r} is not a shard: write I/N, such as 2/7 for the second of seven.")
        return cls(index, count, tuple(words))

    def owns(self, number: int) -> bool:
        """True if a batch is this shard's, by its number from 0.

        >>> [Shard(1, 3).owns(number) for number in range(4)]
        [True, False, False, True]
        """
        return number % self.count == self.index - 1

    @property
    def folder(self) -> str:
        return f"{self.index}-of-{self.count}"

    @property
    def command(self) -> str:
        """The command that makes it."""
        return shlex.join(["assay", *self.words, "--shard", f"{self.index}/{self.count}"])


def words_without_shard(words: Sequence[str]) -> list[str]:
    """The words of a command without `--shard`.

    >>> words_without_shard(["run", "--shard", "1/2", "--seed", "3", "--shard=1/2"])
    ['run', '--seed', '3']
    """
    found = [word for word in words if not word.startswith("--shard=")]
    while "--shard" in found:
        place = found.index("--shard")
        del found[place : place + 2]
    return found


class ShardCard(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of a shard, in its folder."""

    schema: int = CARD_SCHEMA
    words: tuple[str, ...]  # the command that made it, without `--shard`
    place: str  # the name that all shards of the command share
    index: int
    count: int
    made_of: dict[str, str] = {}  # digests of the suites that it is about, by name
    identities: dict[str, str] = {}  # of a run: the identity of each model whose answers are cached by text
    files: dict[str, str]  # SHA-256 of every file, by its path in the shard's folder
    version: str = __version__

    @property
    def shard(self) -> Shard:
        """The shard that this is the card of."""
        return Shard(self.index, self.count, self.words)


SHARD = Kind("a shard", lambda folder: (CARD, *read_card(folder).files))


def read_card(folder: Path) -> ShardCard:
    """The card of a finished shard."""
    return from_json(folder / CARD, ShardCard, newest=CARD_SCHEMA)


def make_shard(place: Path, shard: Shard, fill: Callable[[Path], Mapping[str, dict[str, str]]]) -> Path:
    """Make a shard of what is made at a place, unless it is finished already, and return its folder.

    `fill` writes what belongs into it, and gives the fields `made_of` and `identities` of its card.
    """
    target = place.with_name(f"{place.name}{SHARDS}") / shard.folder
    bring_back(target)
    if (target / CARD).is_file():
        card = read_card(target)
        if card.words != shard.words or card.version != __version__:
            raise UserError(
                f"{target} was made by another command or version: {card.shard.command} (Assay {card.version}).\n"
                "  Delete it, or choose another --out."
            )
        if not damage(target, card):
            return target
    with folder_aside(target, over=SHARD, resumes=True) as aside:
        (aside / CARD).unlink(missing_ok=True)
        filled: Any = fill(aside)
        card = ShardCard(
            words=shard.words,
            place=place.name,
            index=shard.index,
            count=shard.count,
            files={name: digest(aside / name) for name in files_in(aside)},
            **filled,
        )
        write_whole(aside / CARD, to_json(card))
    return target


def damage(folder: Path, card: ShardCard) -> str:
    """The first file of a shard that is missing or was changed; empty if all are as they were made."""
    for name, said in card.files.items():
        if not (folder / name).is_file() or digest(folder / name) != said:
            return name
    return ""


class Finished(NamedTuple):
    folder: Path
    card: ShardCard


def finished_shards(folder: Path) -> list[Finished]:
    """All shards of a folder in their order, if none is missing or damaged and they belong together."""
    found = [Finished(each.parent, read_card(each.parent)) for each in sorted(folder.glob(f"[!.]*/{CARD}"))]
    if not found:
        raise BadInputError(
            "there are no finished shards", where=str(folder), hint="Name the folder that --shard printed."
        )
    first = found[0]
    for other in found:
        one, two = ((card.words, card.place, card.count) for card in (other.card, first.card))
        if one != two:
            raise BadInputError(
                f"belongs to another command than {first.folder}",
                where=str(other.folder),
                hint=f"One was made by `{other.card.shard.command}`, the other by `{first.card.shard.command}`.",
            )
        if other.card.version != __version__:
            raise BadInputError(f"made by Assay {other.card.version}, not {__version__}", where=str(other.folder))
        if other.card.made_of != first.card.made_of:
            raise BadInputError(
                f"was made from other cases than {first.folder}",
                where=str(other.folder),
                hint=f"Delete it and run again: {other.card.shard.command}",
            )
        if name := damage(other.folder, other.card):
            raise BadInputError(
                "damaged: it was changed or is missing since the shard was made",
                where=str(other.folder / name),
                hint=f"Make the shard again: {other.card.shard.command}",
            )
    by_index = {each.card.index: each for each in found}
    count, words = first.card.count, first.card.words
    missing = [Shard(index, count, words) for index in range(1, count + 1) if index not in by_index]
    if missing:
        lines = "".join(f"\n    {each.command}" for each in missing)
        verb = "is" if len(missing) == 1 else "are"
        raise UserError(f"{folder}: {len(missing)} of {count} shards {verb} missing. Make them with:{lines}")
    return [by_index[index] for index in sorted(by_index)]


def gather_parts(shards: Sequence[Finished], into: Path, *, batch: int = BATCH) -> WorkerPool:
    """Link the parts of all shards into one folder, and return a pool that only reads them."""
    for shard in shards:
        _link(shard, PARTS, into)

    def missing(number: int) -> UserError:
        folder, card = shards[number % len(shards)]
        return UserError(
            f"{folder} does not hold part {number}: it was made from other data, or the data has changed since.\n"
            f"  Delete it and run again: {card.shard.command}"
        )

    return INLINE._replace(batch=batch, missing=missing)


def gather_answers(shards: Sequence[Finished], into: Path, *, cache: bool) -> None:
    """Put the answers of all shards where a run in this folder finds them."""
    for shard in shards:
        for name in shard.card.files:
            folder, _, file = name.rpartition("/")
            if file != ROWS:
                _link(shard, folder, into / folder)
    for model, identity in shards[0].card.identities.items():
        place = Path("predictions") / folder_name(model)
        with AnswerCache(cached_answers_path(identity, into / place, cache=cache)) as store:
            for shard in shards:
                for rows in read_rows(shard.folder / place / ROWS):
                    store.put(rows)


def _link(shard: Finished, folder: str, into: Path) -> None:
    """Link the files of a folder of a shard, or copy them if the file system can't link."""
    for name in shard.card.files:
        place, _, file = name.rpartition("/")
        if place != folder:
            continue
        with path_aside(into / file) as aside:
            try:
                os.link(shard.folder / name, aside)
            except OSError:
                shutil.copyfile(shard.folder / name, aside)


def build_shard(
    corpus: Corpus, recipes: Sequence[Recipe], out: Path, *, pool: WorkerPool, shard: Shard, stage: Stage = quiet
) -> Path:
    """Make a shard of the suite that would be built in `out`, and return its folder.

    The shard reads the whole corpus, because only that shows where its batches begin; it works on its own batches only.
    """
    work, _ = planned_work(recipes)

    def fill(folder: Path) -> dict[str, dict[str, str]]:
        progress = stage(f"Building shard {shard.index} of {shard.count}", None)
        known_work, pairs = look_at_language(work, corpus.as_pairs(Problems(recipes)))
        batches = pair_batches(pairs, pool.batch)
        for part in parts(known_work, batches, folder=folder / PARTS, pool=pool, owns=shard.owns):
            progress(msgspec.json.decode(part.partition(b"\n")[0], type=PartSummary).pairs)
        return {}

    return make_shard(out, shard, fill)


OF_THE_RUN = ("kept.parts", "model.parts")  # folders that a model needs while it runs, and that a shard deletes


def ask_shard(
    options: RunOptions, shard: Shard, *, stage: Stage = quiet, tell: Callable[[str], None] = lambda _: None
) -> Path:
    """Run every model of a run on the shard's share of the cases, and return the shard's folder.

    The options are those of `assay.run`. Each shard needs all suites, because they decide which batches it owns.
    Suites that are built already, or cached, are not built again.
    """
    with planned_run(options, tell) as (spec, inputs):
        if inputs.corpus is not None or inputs.models:
            raise UserError("A shard can't use Python objects: give the corpus and the models by name.")
        places = places_of(spec, cache=options.cache)

        def fill(folder: Path) -> dict[str, dict[str, str]]:
            made = suites_of(spec, folder / "suites", places, corpus=None, pool=workers, stage=stage)
            suites, how = prepare_predictions(spec, made, options, inputs=inputs, tell=tell)
            identities = {}
            for name in spec.models:
                progress = stage(f"Running {name}, shard {shard.index} of {shard.count}", None)
                place = folder / "predictions" / folder_name(name)
                identity = predict_shard(name, suites, place, pool=workers, progress=progress, owns=shard.owns, how=how)
                if identity is not None:
                    identities[name] = identity
            digests = {name: suite.manifest.digest for name, suite in suites.items()}
            for each in OF_THE_RUN:
                for place in folder.glob(f"predictions/*/{each}"):
                    shutil.rmtree(place)
            shutil.rmtree(folder / "suites")  # they are made again, or found in the cache, when the shards are merged
            return {"made_of": digests, "identities": identities}

        with engine_pool(options.engine, options.workers) as workers:  # they share what is loaded by now
            return make_shard(stand_in(options.out) / key_of(spec), shard, fill)


def verify_shard(folder: Path, *, pool: WorkerPool, shard: Shard) -> Path:
    """Prove the labels of a shard's batches; everything else is checked when the shards are merged."""
    suite = Suite.open(folder)

    def fill(place: Path) -> dict[str, dict[str, str]]:
        for _ in proven(suite, folder=place / PARTS, pool=pool, owns=shard.owns):
            pass
        return {"made_of": {"suite": suite.manifest.digest}}

    return make_shard(folder.with_name(f"{folder.name}.verify"), shard, fill)


def examine_merged(folder: Path, shards: Path, *, batch: int = BATCH) -> Verified:
    """Check a suite whose labels were proven in shards."""
    with part_folder(None) as proofs:
        return examine(folder, pool=gather_parts(finished_shards(shards), proofs, batch=batch), proofs=proofs)
