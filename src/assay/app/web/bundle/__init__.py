"""Views as files: pages that need no server, with the cases as scripts that a page can load from a folder."""
