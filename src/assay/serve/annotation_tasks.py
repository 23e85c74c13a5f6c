"""The annotation tasks below a folder: samples, the answers to them, and the people who were invited."""

import threading
from pathlib import Path

from msgspec.structs import replace

from assay.annotate.answer_rows import FILE, Annotator
from assay.annotate.answer_store import AnswerStore
from assay.annotate.layouts import SampleOptions, instructions
from assay.annotate.sample import INSTRUCTIONS, KEY, LONGEST_NAME, Drawable, check_names, draw_sample
from assay.core.errors import AssayError, OutputExistsError, UnknownNameError, UserError, did_you_mean
from assay.serve.access_tokens import Access, Role, key_of, new_token
from assay.serve.served_files import files_below, place_to_write
from assay.storage.files import write_whole

HOME = "annotations"


class Tasks:
    """The tasks, by name: the folder's path below the served one."""

    def __init__(self, folder: Path, access: Access) -> None:
        self._folder = folder
        self._access = access
        self._lock = threading.RLock()
        self._stores: dict[str, AnswerStore] = {}
        self._links: dict[tuple[str, str], str] = {}
        for name, place in self._places().items():
            if (place / FILE).is_file():
                self._let_in_again(name)

    def names(self) -> list[str]:
        return sorted(self._places())

    def get(self, name: str) -> AnswerStore:
        """The answers to a task; only existing tasks can be named."""
        with self._lock:
            if (known := self._stores.get(name)) and (known.folder / KEY).is_file():
                return known  # without searching the folder for every answer
            places = self._places()
            if name not in places:
                raise UnknownNameError(f"There is no task {name!r} here{did_you_mean(name, places)}")
            self._stores[name] = AnswerStore(places[name])
            return self._stores[name]

    def make(self, name: str, source: Drawable, options: SampleOptions, *, guidelines: str = "") -> str:
        """Draw a sample for people to annotate; returns the name of the new task.

        `guidelines` are the owner's, shown after those of the layout.
        """
        check_names(options.annotators)
        if not name or Path(name).name != name or name.startswith(".") or not name.isprintable():
            raise UserError(f"{name[:LONGEST_NAME]!r} can't be the name of a task: it names a folder.")
        folder = place_to_write(self._folder, HOME, name)
        if folder.exists():
            raise OutputExistsError(f"There is a task {name!r} already.\n  Choose another name.")
        only_key = replace(options, annotators=())  # people answer here, not in files
        draw_sample(source.cases, folder, space=source.space, answers=source.answers, options=only_key)
        task = f"{HOME}/{name}"
        with self._lock:
            store = self._stores[task] = AnswerStore(folder, seed=options.seed)
        if guidelines.strip():
            told = instructions(store.layout, list(store.drawn.values()))
            write_whole(folder / INSTRUCTIONS, f"{told}\n{guidelines.strip()}\n".encode())
        for each in options.annotators:
            self.invite(task, store.add(each))
        return task

    def invite(self, task: str, person: Annotator) -> None:
        """Make a token for somebody; an earlier one is void."""
        token = new_token()
        with self._lock:
            self.get(task).let_in(person, key_of(token))
            self._access.dismiss(person.name, task=task)
            self._access.admit(token, person.name, Role.ANNOTATOR, task=task)
            self._links[task, person.name] = token

    def token(self, task: str, person: str) -> str | None:
        """The token of a person invited since the server started; earlier tokens are not stored."""
        return self._links.get((task, person))

    def _places(self) -> dict[str, Path]:
        found = (path.parent for path in files_below(self._folder, KEY))
        return {
            each.relative_to(self._folder).as_posix() if each != self._folder else each.name: each for each in found
        }

    def _let_in_again(self, name: str) -> None:
        try:
            tokens = self.get(name).tokens()
        except AssayError:
            return  # the owner sees what is wrong with it
        for key, person in tokens.items():
            self._access.admit_key(key, person.name, Role.ANNOTATOR, task=name)


def more_guidelines(store: AnswerStore) -> str:
    """The owner's guidelines, shown after those of the layout."""
    path = store.folder / INSTRUCTIONS
    if not path.is_file():
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    return text.removeprefix(instructions(store.layout, list(store.drawn.values()))).strip()
