"""The bar on top: what a view is called there."""

from typing import NamedTuple

from assay.app.web.guard.access import Role


class Tab(NamedTuple):
    """An entry of the bar."""

    name: str
    """What it says."""
    path: str
    """Where it leads."""
    role: Role = Role.OWNER
    """Who sees it; the owner sees all."""

    def is_open(self, path: str) -> bool:
        """Whether the page at an address belongs to this view."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))
