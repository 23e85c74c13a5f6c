"""Counts the words of README.md and docs/ that somebody wrote: `python tools/docs/count_words.py`.

Left out: pages and blocks that a tool generates, code blocks, comments, the targets of links, and table rules.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERATED = "<!-- Made by tools/docs"
BLOCK = re.compile(r"^<!-- ([\w ]+) -->\n.*?^<!-- end of \1 -->$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
TARGET = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"\w[\w'.,%/:-]*")


def words_written(text: str) -> int:
    """The number of words of a page that somebody wrote."""
    if GENERATED in text[:200]:
        return 0
    for pattern in (BLOCK, CODE, COMMENT, TARGET):
        text = pattern.sub(" ", text)
    return len(WORD.findall(text))


def pages_written() -> dict[str, int]:
    """The words of each page, by its place in the project; generated pages are left out."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    counts = {page.relative_to(ROOT).as_posix(): words_written(page.read_text(encoding="utf-8")) for page in pages}
    return {page: count for page, count in counts.items() if count}


if __name__ == "__main__":
    counts = pages_written()
    for page, count in sorted(counts.items(), key=lambda each: each[1]):
        print(f"{count:6,}  {page}")
    print(f"{sum(counts.values()):6,}  words on {len(counts)} pages")
