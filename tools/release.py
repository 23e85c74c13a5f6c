"""Builds a release and tries it as a stranger would: `python tools/release.py [--trial] [--python EXECUTABLE ...]`.

Wheel and sdist are made of the last commit, outside the clone, the wheel from the sdist. For every Python that is given
or found, the wheel is installed into an empty environment; there, the commands of a first session run with an empty
home and without a network. Nothing is uploaded: the command that does it is printed at the end. A trial skips the
questions whether everything is committed and the changelog has an entry.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("python3.11", "python3.12", "python3.13")
LARGEST = 65_000_000
"""Bytes of a wheel."""

SESSION = (
    "assay --version",
    "assay build all --limit 30 --out suite --quiet",
    "assay verify suite",
    "assay run --limit 30 --out runs --quiet",
    "assay verify runs --deep",
)
"""What is tried, in this order."""


def main() -> None:
    """Check, build, try."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trial", action="store_true", help="release nothing: skip the checks of commit and changelog")
    parser.add_argument("--python", action="append", help="a Python to try it with; by default, 3.11 to 3.13 if found")
    given = parser.parse_args()
    version = version_of((ROOT / "src/assay/version.py").read_text())
    if not given.trial:
        refuse_unfinished(version)
    with tempfile.TemporaryDirectory(prefix="assay-release-") as folder:
        built = build(Path(folder))
        for name in given.python or PYTHONS:
            if python := find(name):
                attempt(python, built.wheel, Path(folder) / Path(name).name, version)
            else:
                print(f"{name}: not found, so not tried")
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        (ROOT / "dist").mkdir()
        for file in built:
            shutil.copy2(file, ROOT / "dist")
    print(f"Assay {version} is in dist/. To upload it: {sys.executable} -m twine upload dist/*")


def find(name: str) -> str:
    """A Python that runs, on the path or among those of pyenv; empty if there is none."""
    others = sorted(Path.home().glob(f".pyenv/versions/*/bin/{Path(name).name}"))
    for each in (shutil.which(name), *others):
        if each and subprocess.run([each, "-c", ""], capture_output=True).returncode == 0:  # noqa: S603 - a Python
            return str(each)
    return ""


def version_of(text: str) -> str:
    """The version in `version.py`."""
    found = re.search(r'__version__ = "(.+)"', text)
    assert found
    return found[1]


def refuse_unfinished(version: str) -> None:
    """Stop unless everything is committed, and the newest entry of the changelog is this version with its date."""
    if changed := said("git", "status", "--porcelain"):
        sys.exit(f"Not everything is committed:\n{changed}")
    entries = re.findall(r"^## \[(.+?)\](.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    newest, date = entries[0] if entries else ("", "")
    if newest != version or not re.fullmatch(r" - \d{4}-\d\d-\d\d", date):
        sys.exit(
            f"The newest entry of CHANGELOG.md is [{newest}]{date}, and src/assay/version.py says {version}.\n"
            f"  Call the entry [{version}] - YYYY-MM-DD, commit, and start again."
        )


class Built(tuple[Path, Path]):
    """The sdist and the wheel."""

    @property
    def wheel(self) -> Path:
        return self[1]


def build(folder: Path) -> Built:
    """Make both from the last commit, in a folder outside the clone."""
    source, dist = folder / "source", folder / "dist"
    archive = folder / "source.tar"
    run("git", "archive", "--output", archive, "HEAD", cwd=ROOT)
    with tarfile.open(archive) as file:
        file.extractall(source, filter="data")
    tools = folder / "tools"
    run(sys.executable, "-m", "venv", tools)
    run(tools / "bin/pip", "install", "--quiet", "build", "twine")
    run(tools / "bin/python", "-m", "build", "--outdir", dist, source)
    sdist, wheel = *dist.glob("*.tar.gz"), *dist.glob("*.whl")
    run(tools / "bin/python", "-m", "twine", "check", "--strict", sdist, wheel)
    for file in (sdist, wheel):
        print(f"{file.name}: {file.stat().st_size:,} bytes")
    if wheel.stat().st_size > LARGEST:
        sys.exit(f"The wheel is larger than {LARGEST:,} bytes.")
    return Built((sdist, wheel))


def attempt(python: str, wheel: Path, folder: Path, version: str) -> None:
    """Install the wheel into an empty environment, and go through a first session."""
    home, work = folder / "home", folder / "work"
    run(python, "-m", "venv", folder / "venv")
    run(folder / "venv/bin/pip", "install", "--quiet", wheel)
    for each in (home, work):
        each.mkdir()
    for command in SESSION:
        run(*isolated(), folder / "venv/bin" / command.split()[0], *command.split()[1:], cwd=work, env={"HOME": home})
    print(f"{python}: {said(folder / 'venv/bin/assay', '--version')}")
    assert version in said(folder / "venv/bin/assay", "--version")


def isolated() -> list[str]:
    """The words in front of a command that take its network away, if this system can."""
    words = ["unshare", "--map-root-user", "--net"]
    try:
        subprocess.run([*words, "true"], check=True, capture_output=True)  # noqa: S603 - a fixed command
    except (OSError, subprocess.CalledProcessError):
        print("This system can't take the network away from a command: tried with it.")
        return []
    return words


def run(*words: object, cwd: Path | None = None, env: dict[str, object] | None = None) -> None:
    """Run a command, and stop if it fails."""
    print("$", *words, flush=True)
    own = {name: str(value) for name, value in env.items()} | {"PATH": "/usr/bin:/bin"} if env else None
    if subprocess.run(list(map(str, words)), cwd=cwd, env=own).returncode:  # noqa: S603 - our own commands
        sys.exit("It failed, so nothing is released.")


def said(*words: object) -> str:
    """What a command prints."""
    done = subprocess.run(list(map(str, words)), cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout.strip()


if __name__ == "__main__":
    main()
