"""Import every module of the package in a fresh process, in any order: circles and missing names show up."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
names = []
for path in sorted((ROOT / "src" / "assay").rglob("*.py")):
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
names.remove("assay.__main__")
code = """
import importlib, os, sys
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    os.waitpid(child, 0)
"""
heavy = "import numpy, msgspec, click, rich, jinja2\ntry:\n    import torch, starlette.routing, onnx\nexcept ImportError:\n    pass\n"
done = subprocess.run([sys.executable, "-c", heavy + code, *names], cwd=ROOT, capture_output=True, text=True)
print(done.stdout + done.stderr[-2000:])
print(f"{len(names)} modules, {len(done.stdout.splitlines())} failed")
