"""What `mkdocs build` needs beyond its configuration: generated pages, and links to files outside of docs/."""

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<=\]\()(?P<target>(?:\.\./)+[^)#\s]+)")


def on_files(files: Any, *, config: Any) -> Any:
    """Adds the pages that are made when the site is built."""
    from mkdocs.structure.files import File

    sys.path.insert(0, str(Path(__file__).parent))
    from site_pages import documents

    for place, content in documents().items():
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The page with absolute links to what lies outside of docs/, so that they work on the site too."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def absolute(found: re.Match[str]) -> str:
        target = (folder / found["target"]).resolve()
        if target.is_relative_to(ROOT / "docs") or not target.exists():
            return found["target"]
        return f"{config['extra']['repository']}/blob/main/{target.relative_to(ROOT).as_posix()}"

    return LINK.sub(absolute, markdown)
