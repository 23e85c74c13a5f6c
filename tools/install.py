"""Installs packages into the environment of this Python with uv, several times as fast as pip, or else with pip.

`python tools/install.py --editable '.[dev]' ./tests/plugin`. uv does not read pip's settings, so registries, folders
with wheels and certificates are handed on.
"""

import os
import shlex
import subprocess
import sys

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
OPTIONS = {"index-url": "--default-index", "extra-index-url": "--index", "find-links": "--find-links"}
"""Settings of pip by the options of uv that mean the same."""


def pip_settings(listed: str) -> dict[str, list[str]]:
    """The settings that `pip config list` names; those of the environment come first there, and win here as in pip."""
    settings: dict[str, list[str]] = {}
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if section in (":env:", "global", "install"):
            settings.setdefault(name, " ".join(shlex.split(value)).split())
    return settings


def uv_options(settings: dict[str, list[str]]) -> list[str]:
    """The same for uv, which would otherwise look for a package in the first registry that has any version of it."""
    places = [word for name, option in OPTIONS.items() for value in settings.get(name, ()) for word in (option, value)]
    return [*places, *(["--no-index"] if "no-index" in settings else []), "--index-strategy", "unsafe-best-match"]


def run(*command: str, env: dict[str, str] | None = None) -> int:
    return subprocess.run(command, env=env, check=False).returncode  # noqa: S603 - our own commands


def main() -> None:
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)  # noqa: S603
    settings = pip_settings(listed.stdout)
    env = {**os.environ, **({"SSL_CERT_FILE": settings["cert"][0]} if "cert" in settings else {})}
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable, *uv_options(settings)]
    pip = [*PIP, "install", "--quiet", "--no-compile"]
    if run(*pip, "uv") or run(*uv, *sys.argv[1:], env=env):
        print("uv cannot install this here, so pip does it, which takes minutes", file=sys.stderr)
        sys.exit(run(*pip, *sys.argv[1:]))


if __name__ == "__main__":
    main()
