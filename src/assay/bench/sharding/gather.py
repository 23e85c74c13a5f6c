"""Bringing the parts of finished shards to where an ordinary command looks for its own."""

import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from assay.bench.ask.names import folder_name
from assay.bench.ask.rows import ROWS, read_rows
from assay.bench.ask.store import Store, kept_path
from assay.bench.build.suite import PARTS
from assay.bench.sharding.shard import Finished
from assay.bench.shards import InlineExecutor
from assay.core.errors import UserError
from assay.core.files import path_aside


class Merging(InlineExecutor):
    """Makes no part: all of them must come from the shards."""

    def __init__(self, shards: Sequence[Finished]) -> None:
        self.shards = shards

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ARG002
        """Stop, and name the shard that should have made this part."""
        number = int(args[0].name.partition("-")[0])
        folder, card = self.shards[number % len(self.shards)]
        raise UserError(
            f"{folder} does not hold part {number}: it was made from other data, or the data has changed since.\n"
            f"  Delete it and run again: {card.shard.command}"
        )


def gather_parts(shards: Sequence[Finished], into: Path) -> Merging:
    """Link the parts of all shards into one folder; returns the executor for the command that merges them."""
    for shard in shards:
        _link(shard, PARTS, into)
    return Merging(shards)


def gather_answers(shards: Sequence[Finished], into: Path, *, cache: bool) -> None:
    """Put the answers of all shards where a run in this folder finds them."""
    for shard in shards:
        for name in shard.card.files:
            folder, _, file = name.rpartition("/")
            if file != ROWS:
                _link(shard, folder, into / folder)
    for model, identity in shards[0].card.identities.items():
        place = Path("predictions") / folder_name(model)
        with Store(kept_path(identity, into / place, cache=cache)) as store:
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
