"""What Assay is made of and depends on: `python tools/supply.py lock|audit|sbom`.

`lock` writes `requirements-dev.lock`, the version and digests of everything that development needs. `audit` asks the
vulnerability service of PyPI about all of it. `sbom` lists what an environment holds, in dist/sbom.json (CycloneDX).
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements-dev.lock"
TOOLS = Path(sys.executable).parent
"""Where uv, pip-audit and cyclonedx-py are: `make lock`, `make audit` and `make sbom` install them."""

ABOUT = "# Made by `make lock`; `make locked` installs exactly this, and nothing whose digest differs.\n"


class Verdict(NamedTuple):
    """What an audit says."""

    code: int
    """The exit code: 0 all is well, 1 something is vulnerable, 3 not everything could be looked up."""
    text: str


def main() -> None:
    """Do one of the three."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["lock", "audit", "sbom"])
    parser.add_argument("--python", default=sys.executable, help="whose packages `sbom` lists")
    given = parser.parse_args()
    {"lock": lock, "audit": audit, "sbom": lambda: sbom(given.python)}[given.what]()


def lock() -> None:
    """Write the newest versions that fit, for every Python from 3.11 and every system."""
    words = ("pip", "compile", "pyproject.toml", "--extra", "dev", "--extra", "all", "--universal", "--upgrade")
    done = _run("uv", *words, "--python-version", "3.11", "--generate-hashes", "--no-header", "--quiet")
    if done.returncode:
        sys.exit(done.stderr)
    LOCK.write_text(ABOUT + done.stdout)
    print(f"{LOCK.name}: {len(locked(LOCK.read_text()))} packages")


def locked(text: str) -> dict[str, int]:
    """The packages of a lock file, each with the number of its digests."""
    parts = re.split(r"(?m)^(?=[a-z0-9])", text)
    return {part.partition("==")[0]: part.count("--hash=sha256:") for part in parts if "==" in part}


def audit() -> None:
    """Ask about everything that is locked."""
    words = ("--requirement", str(LOCK), "--require-hashes", "--disable-pip", "--progress-spinner", "off")
    done = _run("pip-audit", *words, "--format", "json")
    if not done.stdout:
        sys.exit(f"pip-audit could not be asked, so nothing is known:\n{done.stderr[-1000:]}")
    found = verdict(json.loads(done.stdout))
    print(found.text)
    sys.exit(found.code)


def verdict(report: dict[str, Any]) -> Verdict:
    """What a report of pip-audit amounts to. What could not be looked up is never taken for safe."""
    packages = report["dependencies"]
    weak = [
        f"{each['name']} {each['version']}: {bug['id']}, mended in {', '.join(bug['fix_versions']) or 'no version yet'}"
        for each in packages
        for bug in each.get("vulns", [])
    ]
    unknown = [each["name"] for each in packages if "skip_reason" in each]
    if weak:
        return Verdict(1, "\n".join(weak))
    if unknown:
        few = ", ".join(unknown[:3]) + (" ..." if len(unknown) > 3 else "")
        return Verdict(
            3,
            f"{len(unknown)} of {len(packages)} packages could not be looked up ({few}): nothing is known about them.\n"
            "  Try again where the vulnerability service of PyPI can be reached.",
        )
    return Verdict(0, f"No known vulnerability in {len(packages)} packages.")


def sbom(python: str) -> None:
    """List the packages of an environment."""
    path = ROOT / "dist" / "sbom.json"
    path.parent.mkdir(exist_ok=True)
    words = (
        "environment",
        python,
        "--pyproject",
        "pyproject.toml",
        "--output-reproducible",
        "--output-file",
        str(path),
    )
    done = _run("cyclonedx-py", *words)
    if done.returncode:
        sys.exit(done.stderr)
    print(f"dist/{path.name}: {len(json.loads(path.read_text())['components'])} packages")


def _run(tool: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(TOOLS / tool), *words], cwd=ROOT, capture_output=True, text=True)  # noqa: S603 - our own


if __name__ == "__main__":
    main()
