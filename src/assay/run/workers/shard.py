"""A shard: a part of a command's work, in a folder of its own that says what it belongs to."""

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.core.serialise import from_json, to_json
from assay.run.build.suite_builder import PARTS
from assay.run.predict.model_names import folder_name
from assay.run.workers.pool import BATCH, INLINE, WorkerPool
from assay.storage.answer_cache import ROWS, AnswerCache, cached_answers_path, read_rows
from assay.storage.files import Kind, digest, files_in, folder_aside, path_aside, write_whole
from assay.storage.remote import bring_back
from assay.version import __version__

CARD = "shard.json"
SHARDS = ".shards"
"""The end of the name of a folder of shards."""
CARD_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shares of the same work."""

    index: int
    count: int
    words: tuple[str, ...] = ()
    """The command that makes it, without `--shard`."""

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
        """The name of its folder."""
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
    """The version of this file's shape."""
    words: tuple[str, ...]
    """The command that made it, without `--shard`."""
    place: str
    """The name that all shards of the command share."""
    index: int
    count: int
    made_of: dict[str, str] = {}
    """Digests of the suites that it is about, by name."""
    identities: dict[str, str] = {}
    """Of a run: the identity of each model whose answers are cached by text."""
    files: dict[str, str]
    """SHA-256 of every file, by its path in the shard's folder."""
    version: str = __version__

    @property
    def shard(self) -> Shard:
        """The shard that this is the card of."""
        return Shard(self.index, self.count, self.words)


class FilledShard(NamedTuple):
    """Metadata of a filled shard folder."""

    made_of: Mapping[str, str] = {}
    """Digests of suites, by name."""
    identities: Mapping[str, str] = {}
    """Of models, by name."""


SHARD = Kind("a shard", lambda folder: (CARD, *read_card(folder).files))


def read_card(folder: Path) -> ShardCard:
    """The card of a finished shard."""
    return from_json(folder / CARD, ShardCard, newest=CARD_SCHEMA)


def shards_folder(place: Path) -> Path:
    """The folder of the shards of a suite or run, until they are merged."""
    return place.with_name(f"{place.name}{SHARDS}")


def make_shard(place: Path, shard: Shard, fill: Callable[[Path], FilledShard]) -> Path:
    """Make a shard unless it is finished already, and return its folder; `fill` writes what belongs into it."""
    target = shards_folder(place) / shard.folder
    bring_back(target)
    if is_finished(target, shard):
        return target
    with folder_aside(target, over=SHARD, resumes=True) as aside:
        (aside / CARD).unlink(missing_ok=True)
        said = fill(aside)
        card = ShardCard(
            words=shard.words,
            place=place.name,
            index=shard.index,
            count=shard.count,
            made_of=dict(said.made_of),
            identities=dict(said.identities),
            files={name: digest(aside / name) for name in files_in(aside)},
        )
        write_whole(aside / CARD, to_json(card))
    return target


def is_finished(folder: Path, shard: Shard) -> bool:
    """True if a shard is complete and undamaged; it is an error if it belongs to another command."""
    if not (folder / CARD).is_file():
        return False
    card = read_card(folder)
    if card.words != shard.words or card.version != __version__:
        raise UserError(
            f"{folder} was made by another command or version: {card.shard.command} (Assay {card.version}).\n"
            "  Delete it, or choose another --out."
        )
    return not damage(folder, card)


def damage(folder: Path, card: ShardCard) -> str:
    """The first file of a shard that is missing or was changed; empty if all are as they were made."""
    for name, said in card.files.items():
        if not (folder / name).is_file() or digest(folder / name) != said:
            return name
    return ""


class Finished(NamedTuple):
    """A finished shard."""

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
        if _work_of(other.card) != _work_of(first.card):
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
    return _complete(folder, found)


def _work_of(card: ShardCard) -> tuple[tuple[str, ...], str, int]:
    """The command, name and count that shards of one command share."""
    return card.words, card.place, card.count


def _complete(folder: Path, found: list[Finished]) -> list[Finished]:
    """The shards in order, if all are there."""
    by_index = {each.card.index: each for each in found}
    count, words = found[0].card.count, found[0].card.words
    missing = [Shard(index, count, words) for index in range(1, count + 1) if index not in by_index]
    if missing:
        lines = "".join(f"\n    {each.command}" for each in missing)
        verb = "is" if len(missing) == 1 else "are"
        raise UserError(f"{folder}: {len(missing)} of {count} shards {verb} missing. Make them with:{lines}")
    return [by_index[index] for index in sorted(by_index)]


def gather_parts(shards: Sequence[Finished], into: Path, *, batch: int = BATCH) -> WorkerPool:
    """Link the parts of all shards into one folder; returns a pool that only reads them."""
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
