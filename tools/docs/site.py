"""What `mkdocs build` needs beyond its configuration: links to files outside of docs/ lead to the repository."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<=\]\()(?P<target>(?:\.\./)+[^)#\s]+)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The page with absolute links to what lies outside of docs/, so that they work on the site too."""
    folder = Path(page.file.abs_src_path).parent

    def absolute(found: re.Match[str]) -> str:
        target = (folder / found["target"]).resolve()
        if target.is_relative_to(ROOT / "docs") or not target.exists():
            return found["target"]
        return f"{config['extra']['repository']}/blob/main/{target.relative_to(ROOT).as_posix()}"

    return LINK.sub(absolute, markdown)
