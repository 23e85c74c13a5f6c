"""Addresses of the server as files of a bundle: every link of a page leads to another page of the bundle."""

import posixpath
import re
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import quote

LINK = re.compile(r'\b(href|src|action|data-cases)="(/[^"]*)"')
"""An address in a page. Text can't look like one, because its quotes are escaped."""

CASE = re.compile(r"(/runs/[^/?]+/cases)/(\d+)(\?.*)?")
"""The address of a case."""

STATIC = re.compile(r"/static/\w+/([\w.]+)")
"""The address of a style sheet or script."""


class Files:
    """Which file has which page.

    >>> files = Files({"/": "index.html", "/runs/a/cases": "runs/1/cases.html"})
    >>> files.relinked('<a href="/runs/a/cases?family=x&amp;label=y">', "compare/1.html")
    '<a href="../runs/1/cases.html?family=x&amp;label=y">'
    >>> files.relinked('<a href="/runs/a/cases/7?family=x">', "runs/1/cases.html")
    '<a href="cases.html?case=7&amp;family=x">'
    """

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages

    def relinked(self, page: str, file: str) -> str:
        """The page with links that work from its place in the folder."""

        def replaced(found: re.Match[str]) -> str:
            path, mark, query = self._target(unescape(found[2])).partition("?")
            near = quote(posixpath.relpath(path, posixpath.dirname(file)))
            return f'{found[1]}="{escape(near + mark + query)}"'

        return LINK.sub(replaced, page)

    def _target(self, address: str) -> str:
        if static := STATIC.fullmatch(address):
            return f"static/{static[1]}"
        if address in self._pages:
            return self._pages[address]
        if case := CASE.fullmatch(address):
            path, query = case[1], f"case={case[2]}" + (f"&{case[3][1:]}" if case[3] else "")
        else:
            path, _, query = address.partition("?")
        return f"{self._pages[path]}?{query}"
