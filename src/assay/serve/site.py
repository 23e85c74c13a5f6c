"""The served site: a folder, models, and people with tokens."""

from collections.abc import Sequence
from pathlib import Path

from assay.run.case_index.saved_slices import Slices
from assay.serve.access_tokens import Access
from assay.serve.annotation_tasks import Tasks
from assay.serve.background import Background, Indexes
from assay.serve.html_pages import Pages
from assay.serve.jobs import Jobs
from assay.serve.served_runs import Runs


class Site:
    """Everything that views share. There is one for each server."""

    def __init__(
        self, folder: Path, *, models: Sequence[str] = (), port: int = 0, background: Background | None = None
    ) -> None:
        self.folder = folder.resolve()
        self.models = tuple(models)
        """The models that may be run; a model's name can start a program, so only the command line names them."""
        self.cookie = f"assay-{port}"  # the name of the cookie; browsers share cookies between the ports of a machine
        self.task_cookie = f"{self.cookie}-task"  # the name of an annotator's cookie
        self.access = Access()
        self.runs = Runs(self.folder)
        self.tasks = Tasks(self.folder, self.access)
        self.background = background or Background()  # work that takes longer than a reader waits
        self.indexes = Indexes(self.background)
        self.jobs = Jobs(self.folder)  # runs that were started from the browser
        self.slices = Slices(self.folder)
        self.pages = Pages()

    def close(self) -> None:
        self.jobs.close()
        self.background.close()
