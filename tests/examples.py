"""The examples of a page of documentation: what a reader would try."""

import re
from typing import NamedTuple

BLOCK = re.compile(
    r"(?P<excuse><!-- not run: [^>]+ -->\s*)?^```(?P<kind>python|console)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)


class Example(NamedTuple):
    """Something that a reader would try."""

    kind: str
    """python or console."""
    text: str
    """The code, or one command line."""


def examples(markdown: str) -> list[Example]:
    """The Python code and the command lines of a page, in order, except those that it excuses."""
    found = []
    for block in BLOCK.finditer(markdown):
        if block["excuse"]:
            continue
        if block["kind"] == "python":
            found.append(Example("python", block["text"]))
        else:
            joined = block["text"].replace("\\\n", " ")
            found += [
                Example("console", line.removeprefix("$ "))
                for line in joined.splitlines()
                if line.startswith("$ assay ")
            ]
    return found
