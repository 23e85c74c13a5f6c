#!/usr/bin/env python3
"""Move the code base into its new house: `python tools/house/move.py [ROOT]`.

Reads map.txt (old modules -> new modules), names.txt (old names -> new names), patches.txt and tests.txt beside this file, rewrites
src, tests, tools, benchmarks, documents and pyproject.toml, and says what it could not do. Run it on a clean checkout.
"""

import ast
import collections
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from plan import FEATURES, FIXED, LAYERS, PACKAGE, Plan  # noqa: E402
from source import File, Ref  # noqa: E402

TEXTS = {".md", ".toml", ".yml", ".yaml", ".html", ".txt", ".cfg", ".js", ".css", ".j2", ".py", "", ".cff", ".in", ".sh", ".mjs", ".example"}
DOTTED = re.compile(rb"\bassay((?:\.[A-Za-z_]\w*)+)(?::([A-Za-z_]\w*))?")
SLASHED = re.compile(rb"(?<![\w/])((?:src/)?assay/|(?=(?:app|bench|core|corpora|evaluate|language|models|reports|stress|train)/[\w/]+\.py\b))([A-Za-z_][\w/\-]*)(\.[\w*]+)?")
OLD_ROOMS = {"bench", "app", "train"}

Edit = tuple[int, int, str]


class Move:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.plan = Plan(root)
        self.problems = list(self.plan.problems)
        self.notes = list(self.plan.notes)
        self.house = root / "src" / PACKAGE

    def say(self, text: str) -> None:
        self.problems.append(text)

    # names

    def stem(self, module: str) -> str:
        return module.rpartition(".")[2]

    def home_of(self, binding: tuple[str, ...]) -> tuple[str, str, str] | None:
        """('sym', new module, new name) or ('mod', new module, stem)."""
        plan = self.plan
        binding = plan.resolve(binding)
        if binding[0] == "mod":
            new = plan.whole.get(binding[1]) or plan.packages.get(binding[1])
            return ("mod", new, self.stem(new)) if new else None
        if binding[0] == "sym" and binding[1:] in plan.target:
            return ("sym", plan.target[binding[1:]], plan.new_name[binding[1:]])
        return None

    def seen_in(self, module: str, name: str) -> tuple[str, str] | None:
        """The new module and name of an attribute of an old module, as a test that patches it there needs it."""
        plan = self.plan
        file = plan.files.get(module)
        if file is None or name not in file.top.bound:
            return None
        if (module, name) in plan.target:
            return plan.target[module, name], plan.new_name[module, name]
        new = plan.whole.get(module)
        if new is None:
            return None
        home = self.home_of(file.top.bound[name])
        return new, home[2] if home and home[0] == "sym" and name == plan.resolve(file.top.bound[name])[2] else name

    # one file's references

    def text_of(self, ref: Ref, here: str | None, file: File, needs: dict) -> str | None:
        """What stands in the place of a reference; `needs` collects the imports that it relies on."""
        top = ref.home is file.top
        if ref.kind == "string":
            seen = self.seen_in(ref.binding[1], ref.binding[2])
            return seen[1] if seen else None
        if ref.kind == "patched":
            seen = self.seen_in(ref.binding[1], ref.binding[2])
            module = seen[0] if seen else self.plan.whole.get(ref.binding[1])
            return self.alias(ref, module, ref.binding[1], needs, top) if module else None
        home = self.home_of(ref.binding)
        if ref.kind == "attr":
            module, attribute = ref.binding[1], ref.binding[2]
            base = self.plan.whole.get(module) or self.plan.packages.get(module)
            if home is None:
                seen = self.seen_in(module, attribute)
                return f"{self.alias(ref, base, module, needs, top)}.{seen[1] if seen else attribute}" if base else None
            if home[0] == "mod":
                return self.alias(ref, home[1], f"{module}.{attribute}", needs, top)
            if home[1] == here:
                self.shadow(ref, home[2], file)
                return home[2]
            return f"{self.alias(ref, home[1], module, needs, top)}.{home[2]}"
        if home is None:
            if ref.binding[0] == "sym" and ref.binding[1] == "":
                return None
            self.say(f"{file.path}: {ref.binding} is unknown")
            return None
        if home[0] == "mod":
            if home[1] == here:
                self.say(f"{file.path}: {ref.text} is the module itself after the move")
                return None
            return self.alias(ref, home[1], self.plan.resolve(ref.binding)[1], needs, top)
        old = self.plan.resolve(ref.binding)[2]
        if home[1] == here:
            text = home[2]
        else:
            text = home[2] if ref.text == old else ref.text
            if top:
                needs[text] = ("sym", home[1], home[2])
        if text != ref.text:
            self.shadow(ref, text, file)
        return text

    def short(self, new: str) -> str:
        """What a module is called where it is imported: `antonymy_build` for one of the fixed file names."""
        package, _, stem = new.rpartition(".")
        return f"{self.stem(package)}_{stem}" if stem in FIXED else stem

    def alias(self, ref: Ref, new: str, old: str, needs: dict, top: bool) -> str:
        if ref.text == PACKAGE:
            return f"{PACKAGE}.{new}"
        text = self.short(new) if ref.text == self.stem(old) else ref.text
        bound = ref.home.bound.get(text)
        if ref.scope.hides(text, ref.home) or (bound is not None and bound[0] in {"var", "ext"}):
            text = ref.text
        if top:
            known = needs.get(text)
            if known not in {None, ("mod", new, self.stem(new))}:
                text = f"{text}_module"
            needs[text] = ("mod", new, self.stem(new))
        return text

    def shadow(self, ref: Ref, text: str, file: File) -> None:
        if ref.scope.hides(text, ref.home):
            line = file.data[: ref.start].count(b"\n") + 1
            self.say(f"{file.path}:{line}: {ref.text} becomes {text}, which is a local name there")

    def import_lines(self, node: ast.Import | ast.ImportFrom, here: str | None, file: File, *, keep: bool = False) -> list[str] | None:
        """The statements that take the place of an import; None if it stays."""
        if isinstance(node, ast.Import):
            lines = []
            for alias in node.names:
                old = alias.name[len(PACKAGE) + 1 :]
                home = self.home_of(("mod", old)) if old else None
                if home is None:
                    lines.append(f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else ""))
                elif alias.asname:
                    package, _, stem = home[1].rpartition(".")
                    lines.append(f"from {PACKAGE}{'.' if package else ''}{package} import {stem} as {alias.asname}")
                else:
                    lines.append(f"import {PACKAGE}.{home[1]}")
            return lines
        if node.module == PACKAGE or node.module is None:
            if all(alias.name not in self.plan.known for alias in node.names):
                return None
        groups: dict[str, list[str]] = collections.defaultdict(list)
        for alias in node.names:
            home = self.home_of(file._import_binding(node.module or "", alias.name))
            if home is None:
                groups[node.module or ""].append(alias.name + (f" as {alias.asname}" if alias.asname else ""))
                if node.module not in {PACKAGE}:
                    self.say(f"{file.path}: {node.module}.{alias.name} is unknown")
                continue
            if home[0] == "mod":
                package, _, name = home[1].rpartition(".")
                module = f"{PACKAGE}.{package}" if package else PACKAGE
                if home[1] == here:
                    continue
                taken = file.top.bound.get(self.short(home[1]), ("",))[0] in {"var", "ext"}
                if taken and not alias.asname:
                    name = f"{name} as {alias.name}"
                elif self.short(home[1]) != name and not alias.asname:
                    name = f"{name} as {self.short(home[1])}"
            else:
                module, name = f"{PACKAGE}.{home[1]}", home[2]
                if home[1] == here and not keep:
                    continue
            asname = alias.asname
            groups[module].append(name + (f" as {asname}" if asname and asname != name else ""))
        return [f"from {module} import {', '.join(dict.fromkeys(names))}" for module, names in groups.items()]

    # strings, comments, documents

    def dotted(self, match: re.Match[bytes]) -> str | None:
        parts = match[1].decode().strip(".").split(".")
        symbol = match[2].decode() if match[2] else None
        if len(parts) == 1 and parts[0] not in OLD_ROOMS and symbol is None:
            return None
        best = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in self.plan.known), 0)
        if not best:
            return None
        module, rest = ".".join(parts[:best]), parts[best:]
        plan = self.plan
        base = plan.whole.get(module) or plan.packages.get(module)
        name = symbol or (rest[0] if rest else None)
        if name:
            found = plan.resolve(("sym", module, name))
            seen = self.seen_in(module, name)
            if seen is None and found[0] == "sym" and found[1:] in plan.target:
                seen = plan.target[found[1:]], plan.new_name[found[1:]]
            if seen:
                tail = "".join(f".{each}" for each in rest[(0 if symbol else 1) :])
                return f"{PACKAGE}.{seen[0]}{':' if symbol else '.'}{seen[1]}{tail}"
        if base is None:
            return None
        made = f"{PACKAGE}.{base}" + "".join(f".{each}" for each in rest)
        return made + (f":{symbol}" if symbol else "")

    def slashed(self, match: re.Match[bytes]) -> str | None:
        before, path, ending = match[1].decode(), match[2].decode(), (match[3] or b"").decode()
        parts = path.strip("/").split("/")
        slash = "/" if path.endswith("/") else ""
        module = ".".join(parts)
        plan = self.plan
        if ending == ".py":
            if parts[-1] == "__init__":
                module = ".".join(parts[:-1])
            new = plan.whole.get(module) or plan.packages.get(module)
            if new is None:
                return None
            place = self.path_of(new).relative_to(self.house).as_posix()
            return f"{before}{place}"
        for n in range(len(parts), 0, -1):
            package = ".".join(parts[:n])
            if package in plan.packages:
                new = plan.packages[package].replace(".", "/")
                rest = "".join(f"/{each}" for each in parts[n:])
                return f"{before}{new}{rest}{slash}{ending}"
            if n == len(parts) and not ending and package in plan.whole:
                return f"{before}{plan.whole[package].replace('.', '/')}{slash}"
        return None

    def text_edits(self, data: bytes, taken: list[Edit]) -> list[Edit]:
        spans = sorted((start, end) for start, end, _ in taken)
        edits: list[Edit] = []
        for pattern, change in ((DOTTED, self.dotted), (SLASHED, self.slashed)):
            for match in pattern.finditer(data):
                if any(start < match.end() and match.start() < end for start, end in spans):
                    continue
                text = change(match)
                if text is not None and text.encode() != match[0]:
                    edits.append((match.start(), match.end(), text))
        return edits

    # whole files

    def apply(self, data: bytes, edits: list[Edit], begin: int = 0, end: int | None = None) -> str:
        end = len(data) if end is None else end
        out: list[bytes] = []
        position = begin
        for start, stop, text in sorted(edits):
            if start < begin or stop > end:
                continue
            if start < position:
                self.say(f"edits overlap: {data[start:stop]!r}")
                continue
            out += [data[position:start], text.encode()]
            position = stop
        out.append(data[position:end])
        return b"".join(out).decode()

    def ref_edits(self, file: File, here: str | None, needs: dict, begin: int = 0, end: int | None = None) -> list[Edit]:
        edits: list[Edit] = []
        for ref in file.refs:
            if ref.start < begin or (end is not None and ref.start >= end):
                continue
            if ref.kind in {"import", "example import"}:
                lines = self.import_lines(ref.node, here, file, keep=ref.kind == "example import")
                if lines is None:
                    continue
                if ref.kind == "example import":
                    edits.append((ref.start, ref.end, "; ".join(lines)))
                    continue
                indent = " " * (ref.start - file.data.rfind(b"\n", 0, ref.start) - 1)
                if lines:
                    edits.append((ref.start, ref.end, f"\n{indent}".join(lines)))
                else:
                    start = ref.start - len(indent)
                    stop = file.data.find(b"\n", ref.end) + 1
                    edits.append((start, stop, ""))
                continue
            text = self.text_of(ref, here, file, needs)
            if text is not None and text.encode() != file.data[ref.start : ref.end]:
                edits.append((ref.start, ref.end, text))
        return edits

    def path_of(self, new: str) -> Path:
        plan = self.plan
        parent = any(other.startswith(new + ".") for other in (*plan.sources, *plan.package_docs))
        olds = plan.sources.get(new, [])
        stays = len(olds) == 1 and olds[0] == new and plan.files[new].path.name == "__init__.py"
        base = self.house / Path(*new.split("."))
        return base / "__init__.py" if parent or stays else base.with_suffix(".py")

    def segments(self, new: str) -> list[tuple[str, list[int]]]:
        """The old modules of a new one, each after those that it imports."""
        plan = self.plan
        found = []
        for module in plan.sources[new]:
            numbers = [
                n for n in range(len(plan.files[module].items))
                if plan.item_target[module, n] == new and (module, n) not in plan.same
            ]
            found.append((module, numbers))
        modules = [module for module, _ in found]
        needs: dict[str, set[str]] = {}
        for module, numbers in found:
            file = plan.files[module]
            used = set()
            for ref in file.refs:
                if ref.kind in {"name", "attr"} and ref.home is file.top:
                    item = file.item_at(ref.start)
                    if item is None or file.items.index(item) not in numbers:
                        continue
                    binding = plan.resolve(ref.binding)
                    if binding[0] == "sym" and binding[1] in modules and plan.target.get(binding[1:]) == new:
                        used.add(binding[1])
            needs[module] = used - {module}
        for (module, n) in plan.same:
            pass
        ordered: list[str] = []
        while len(ordered) < len(modules):
            ready = [m for m in modules if m not in ordered and needs[m] <= set(ordered)]
            if not ready:
                left = [m for m in modules if m not in ordered]
                self.say(f"{new}: {left} need each other")
                ready = left
            ordered.append(ready[0])
        numbers_of = dict(found)
        return [(module, numbers_of[module]) for module in ordered]

    def compose(self, new: str) -> str:
        plan = self.plan
        needs: dict[str, tuple[str, str, str]] = {}
        bodies: list[str] = []
        last: list[str] = []
        others: dict[str, tuple[str, bool]] = {}
        own = {
            plan.new_name[symbol] for symbol, target in plan.target.items() if target == new
        }
        typing_only: dict[str, bool] = {}
        segments = self.segments(new)
        # A deduplicated definition must come before everything that uses it: it is kept in the first module of the list.
        order = [module for module, _ in segments]
        for module, numbers in segments:
            file = plan.files[module]
            before = dict(needs)
            for n in numbers:
                item = file.items[n]
                edits = self.ref_edits(file, new, needs, item.start, item.end)
                value = getattr(item.node, "value", None)
                if isinstance(value, ast.Call) and ast.unparse(value.func) == "TypeVar":
                    start, end = file.span(value.args[0])
                    edits.append((start + 1, end - 1, plan.new_name[module, item.names[0]]))
                edits += [
                    each for each in self.text_edits(file.data, edits) if item.start <= each[0] and each[1] <= item.end
                ]
                text = self.apply(file.data, edits, item.start, item.end).strip("\n")
                before = file.data[: item.start].decode()
                gap = len(before) - len(before.rstrip("\n"))
                if n and n - 1 in numbers and 0 < gap < 3:
                    text = "\n" * (3 - gap) + "\0" + text
                if isinstance(item.node, ast.If) and "__main__" in ast.unparse(item.node.test):
                    last.append(text)
                elif item.names == ["__all__"] and len(plan.sources[new]) > 1:
                    self.notes.append(f"{new}: __all__ of {module} is left out")
                else:
                    bodies.append(text)
            for node, only in file.imports:
                for alias in node.names:
                    if isinstance(node, ast.ImportFrom):
                        if (node.module or "").split(".")[0] == PACKAGE:
                            local = alias.asname or alias.name
                            home = self.home_of(file._import_binding(node.module, alias.name))
                            name = home[2] if home and local == alias.name else local
                            runtime = not only
                            typing_only[name] = typing_only.get(name, True) and not runtime
                            if node.module == PACKAGE and home is None:
                                others[local] = (f"from {PACKAGE} import {alias.name}", only)
                            continue
                        local = alias.asname or alias.name
                        text = f"from {node.module} import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
                    else:
                        local = alias.asname or alias.name.split(".")[0]
                        text = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
                        if alias.name.split(".")[0] == PACKAGE:
                            self.say(f"{file.path}: {text}")
                    rest = file.data[file.span(node)[1] : file.lines[node.end_lineno]].decode().strip()
                    if rest.startswith("#"):
                        text += f"  {rest}"
                    key = local if isinstance(node, ast.ImportFrom) or alias.asname else alias.name
                    if key in others and others[key][0].partition("  #")[0] != text.partition("  #")[0]:
                        self.say(f"{new}: {key} is {others[key][0]} and {text}")
                    others[key] = (text, only and others.get(key, ("", True))[1])
            del before
        top: list[str] = []
        typing: list[str] = []
        for text, only in others.values():
            (typing if only else top).append(text)
        for local, (kind, module, name) in needs.items():
            if local in own:
                self.say(f"{new}: {local} of {module} meets a definition of the same name")
            if local in others:
                self.say(f"{new}: {local} of {module} meets {others[local][0]}")
            if kind == "mod":
                package, _, stem = module.rpartition(".")
                text = f"from {PACKAGE}{'.' if package else ''}{package} import {stem}"
            else:
                text, stem = f"from {PACKAGE}.{module} import {name}", name
            text += f" as {local}" if local != stem else ""
            (typing if typing_only.get(local, False) else top).append(text)
        for local in own & set(others):
            self.say(f"{new}: {others[local][0]} meets a definition of the same name")
        doc = plan.docs.get(new, "")
        first = plan.files[plan.sources[new][0]] if plan.sources.get(new) else None
        if doc:
            head = f'"""{doc}"""'
        else:
            source = next((plan.files[m] for m in plan.sources[new] if plan.files[m].doc), first)
            if source.doc:
                start, end = source.span(source.doc)
                taken = [e for e in self.ref_edits(source, None, {}, start, end)]
                taken += [e for e in self.text_edits(source.data, taken) if start <= e[0] and e[1] <= end]
                head = self.apply(source.data, taken, start, end)
            else:
                head = ""
        del order
        future = [line for line in top if line.startswith("from __future__")]
        parts = [head, *future, "\n".join(line for line in top if line not in future)]
        if typing:
            if not any("TYPE_CHECKING" in line for line in top):
                parts[-1] += "\nfrom typing import TYPE_CHECKING"
            parts.append("if TYPE_CHECKING:\n" + "\n".join(f"    {line}" for line in typing))
        joined = "\n\n\n".join([*bodies, *last])
        joined = joined.replace("\n\n\n\n\n\0", "\n").replace("\n\n\n\n\0", "\n\n")  # as close as they were
        parts += [joined.replace("\0", "")]
        return "\n\n".join(part for part in parts if part) + "\n"

    def in_place(self, file: File) -> str:
        needs: dict[str, tuple[str, str, str]] = {}
        edits = self.ref_edits(file, file.name or None, needs)
        edits += self.text_edits(file.data, edits)
        text = self.apply(file.data, edits)
        given = {alias.asname or alias.name for node, _ in file.imports for alias in node.names}
        imported = set()
        for node in ast.parse(text).body:
            inner = node.body if isinstance(node, ast.If) else [node]
            for each in inner:
                if isinstance(each, ast.Import | ast.ImportFrom):
                    imported |= {alias.asname or alias.name for alias in each.names}
        del given
        missing = [
            (local, home) for local, home in needs.items()
            if local not in imported and not (home[0] == "mod" and f"import {PACKAGE}.{home[1]}" in text)
        ]
        lines = []
        for local, (kind, module, name) in missing:
            package, _, stem = module.rpartition(".") if kind == "mod" else (module, "", name)
            where = f"{PACKAGE}.{package}" if package else PACKAGE
            lines.append(f"from {where} import {stem}" + (f" as {local}" if local != stem else ""))
        if lines:
            tree = ast.parse(text)
            first = next(node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom) and "__future__" not in ast.unparse(node))
            rows = text.splitlines(keepends=True)
            rows.insert(first.lineno - 1, "".join(f"{line}\n" for line in lines))
            text = "".join(rows)
        # a plain `import assay.x` whose uses are whole paths
        return text

    def root_init(self) -> str:
        file = self.plan.files[""]
        edits = self.ref_edits(file, None, {})
        for match in re.finditer(rb'"(\w+)": "(assay\.[\w.]+)"', file.data):
            name, module = match[1].decode(), match[2].decode()[len(PACKAGE) + 1 :]
            home = self.home_of(("sym", module, name))
            if module == "core.registry" and name == "registry":
                home = ("sym", "core.registry", "registry")
            if home is None:
                self.say(f"assay.{name} is not found in {module}")
                continue
            if home[2] != name:
                self.say(f"assay.{name} is called {home[2]} after the move")
            edits.append((match.start(2), match.end(2), f"{PACKAGE}.{home[1]}"))
        return self.apply(file.data, edits)

    # everything

    def run(self) -> None:
        plan = self.plan
        written: dict[Path, str] = {}
        for new in plan.sources:
            if plan.sources[new]:
                written[self.path_of(new)] = self.compose(new)
        for new, doc in plan.package_docs.items():
            path = self.house / Path(*new.split(".")) / "__init__.py"
            if path not in written:
                olds = [old for old, target in plan.packages.items() if target == new]
                text = doc or next((ast.get_docstring(plan.files[old].tree) for old in olds if ast.get_docstring(plan.files[old].tree)), "")
                written[path] = f'"""{text}"""\n'
        for name in ("__main__", "version"):
            written[self.house / f"{name}.py"] = self.in_place(plan.files[name])
        written[self.house / "__init__.py"] = self.root_init()
        data: dict[Path, Path] = {}
        for path in sorted(self.house.rglob("*")):
            if path.is_file() and path.suffix not in {".py", ".pyc"}:
                data[path] = self.data_place(path)
        others: dict[Path, str] = {}
        moves = self.test_moves()
        for folder in ("tests", "tools", "benchmarks", "docs"):
            for path in sorted((self.root / folder).rglob("*.py")):
                if HERE in path.parents or "node_modules" in path.parts:
                    continue
                try:
                    others[path] = self.in_place(File(path, "", plan.known, inside=False))
                except SyntaxError as error:
                    self.say(f"{path}: {error}")
        for path in sorted(self.root.rglob("*")):
            inner = path.relative_to(self.root).parts
            if not path.is_file() or path.suffix == ".py" or path.suffix not in TEXTS or inner[0].startswith(".venv") or inner[0] in {
                ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", "site", ".hypothesis"
            } or inner[:2] == ("tools", "house") or path.name == "CHANGELOG.md" or "node_modules" in inner:
                continue
            try:
                raw = path.read_bytes()
                raw.decode()
            except UnicodeDecodeError:
                continue
            if len(raw) > 2_000_000:
                continue
            edits = self.text_edits(raw, [])
            if path.suffix == ".md":
                edits = self.document_imports(raw) + [e for e in edits]
                edits = self.without_overlaps(edits)
            if edits:
                others[path] = self.apply(raw, edits)
        # write
        for old in list(plan.files.values()):
            old.path.unlink()
        moved_data = {}
        for old, new in data.items():
            if old != new:
                new.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(old, new)
                moved_data[old] = new
        for path, text in others.items():
            place = moved_data.get(path, path)
            place.write_text(text, encoding="utf-8")
        for path, text in written.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for old, new in moves.items():
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(old, new)
        self.rename_test_modules(moves)
        self.conftests(moves)
        self.patched_strings()
        for folder in sorted((p for p in (*self.house.rglob("*"), *(self.root / "tests").rglob("*")) if p.is_dir()), key=lambda p: -len(p.parts)):
            if folder.name == "__pycache__":
                shutil.rmtree(folder, ignore_errors=True)
        for top in (self.house, self.root / "tests"):
            for folder in sorted((p for p in top.rglob("*") if p.is_dir()), key=lambda p: -len(p.parts)):
                if not any(folder.iterdir()):
                    folder.rmdir()
        self.patch()
        self.tidy()

    def without_overlaps(self, edits: list[Edit]) -> list[Edit]:
        kept: list[Edit] = []
        for edit in edits:
            if not any(edit[0] < each[1] and each[0] < edit[1] for each in kept):
                kept.append(edit)
        return kept

    def document_imports(self, raw: bytes) -> list[Edit]:
        edits: list[Edit] = []
        for match in re.finditer(rb"from (assay(?:\.\w+)+) import ([^\n(]+)", raw):
            try:
                node = ast.parse(match[0].decode().strip()).body[0]
            except SyntaxError:
                continue
            lines = self.import_lines(node, None, self.plan.files[""])
            if lines:
                start = raw.rfind(b"\n", 0, match.start()) + 1
                indent = raw[start : match.start()].decode()
                edits.append((match.start(), match.start() + len(match[0].rstrip()), f"\n{indent}".join(lines)))
        return edits

    def data_place(self, path: Path) -> Path:
        parts = path.relative_to(self.house).parts
        for n in range(len(parts) - 1, 0, -1):
            package = ".".join(parts[:n])
            new = self.plan.packages.get(package) or (self.plan.whole.get(package) if package in {"language.resources.data", "language.resources.shipped", "models.shipped"} else None)
            if new:
                return self.house / Path(*new.split(".")) / Path(*parts[n:])
        return path

    # tests

    def test_moves(self) -> dict[Path, Path]:
        """Test files by their new place: beside the tests of the package that they import most from."""
        plan = self.plan
        table = {}
        for line in (HERE / "tests.txt").read_text().splitlines() if (HERE / "tests.txt").exists() else []:
            words = line.partition("#")[0].split()
            if words:
                table[words[0]] = words[1]
        moves = {}
        self.test_modules: dict[str, str] = {}
        taken: set[Path] = set()
        tests = self.root / "tests"
        for path in sorted(tests.rglob("*")):
            inner = path.relative_to(tests)
            if not path.is_file() or len(inner.parts) == 1 or path.suffix == ".pyc" or inner.parts[0] in {"plugin", "example_repository"}:
                continue
            name = inner.as_posix()
            if name in table:
                new = tests / table[name]
            elif (folder := next((k for k in table if k.endswith("/") and name.startswith(k)), None)) and (table[folder] != "vote" or path.suffix != ".py"):
                new = tests / (table[folder] if table[folder] != "vote" else folder) / name[len(folder) :]
            elif path.suffix != ".py":
                continue
            elif path.name == "conftest.py":
                new = tests / "fixtures" / ("_".join(inner.parts[:-1]) + ".py")
            else:
                new = tests / self.vote(path) / path.name
            if new in taken:
                new = new.with_name(new.stem + "_" + inner.parts[-2] + new.suffix)
            taken.add(new)
            if path != new:
                moves[path] = new
                old_name = ".".join(("tests", *inner.with_suffix("").parts))
                self.test_modules[old_name] = ".".join(("tests", *new.relative_to(tests).with_suffix("").parts))
        return moves

    def vote(self, path: Path) -> str:
        plan = self.plan
        file = File(path, "", plan.known, inside=False)
        votes: collections.Counter[str] = collections.Counter()
        for node in ast.walk(file.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE + "."):
                for alias in node.names:
                    home = self.home_of(file._import_binding(node.module, alias.name))
                    if home:
                        top = home[1].split(".")[0]
                        votes[top] += {"core": 0.3, "storage": 0.5, "corpora": 0.5, "cli": 0.7}.get(top, 2 if top in FEATURES else 1)
        old = path.relative_to(self.root / "tests").parts[0]
        fallback = {"bench": "run", "app": "cli", "train": "training"}.get(old, old)
        if old in LAYERS and old not in {"evaluate", "reports", "core"}:
            return old
        for word in (*FEATURES, "analyse", "train", "study", "prescribe"):
            if re.search(rf"(^|_){word}", path.stem.removeprefix("test_")):
                return {"analyse": "studies", "train": "training", "study": "studies", "prescribe": "studies"}.get(word, word)
        return votes.most_common(1)[0][0] if votes else fallback

    def patched_strings(self) -> None:
        """A path such as assay.audit.x can't be followed from `assay`, where `audit` is a function: import the module."""
        public = "|".join(sorted({*LAYERS, *FEATURES} & set(re.findall(r'"(\w+)": "assay\.', (self.house / "__init__.py").read_text()))))
        for path in (self.root / "tests").rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            new = re.sub(rf'setattr\("(assay\.(?:{public})\.[\w.]+)\.(\w+)"', r'setattr(importlib.import_module("\1"), "\2"', text)
            if new != text:
                first = next(node for node in ast.parse(new).body if isinstance(node, ast.Import | ast.ImportFrom))
                rows = new.splitlines(keepends=True)
                rows.insert(first.lineno - 1, "import importlib\n")
                path.write_text("".join(rows), encoding="utf-8")

    def conftests(self, moves: dict[Path, Path]) -> None:
        """Each folder of tests imports the fixtures that its tests used where they came from."""
        tests = self.root / "tests"
        homes = {old.parent: new for old, new in moves.items() if old.name == "conftest.py" and new.name != "conftest.py"}
        fixtures: dict[Path, dict[str, tuple[bool, set[str]]]] = {}
        for folder, place in homes.items():
            fixtures[folder] = {}
            for node in ast.parse(place.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and any("fixture" in ast.unparse(each) for each in node.decorator_list):
                    auto = any("autouse=True" in ast.unparse(each) for each in node.decorator_list)
                    fixtures[folder][node.name] = auto, {each.arg for each in node.args.args}
        wanted: dict[Path, dict[str, Path]] = collections.defaultdict(dict)
        for old, new in [*moves.items(), *((p, p) for p in tests.rglob("test_*.py") if p not in moves.values())]:
            if not new.name.startswith("test_"):
                continue
            chain = [folder for folder in homes if folder in old.parents]
            used = {
                each.arg for node in ast.walk(ast.parse(new.read_text(encoding="utf-8")))
                if isinstance(node, ast.FunctionDef) for each in node.args.args
            } | {
                str(each.value) for node in ast.walk(ast.parse(new.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str) for each in [node]
            }
            visible: dict[str, Path] = {}
            for folder in sorted(chain, key=lambda each: len(each.parts)):
                visible.update(dict.fromkeys(fixtures[folder], folder))
            todo = [name for name in visible if name in used or fixtures[visible[name]][name][0]]
            seen: set[str] = set()
            while todo:
                name = todo.pop()
                if name in seen or name not in visible:
                    continue
                seen.add(name)
                known = wanted[new.parent].get(name)
                if known not in {None, visible[name]}:
                    self.say(f"{new.parent}: fixture {name} of {known} and of {visible[name]} ({new.name})")
                wanted[new.parent][name] = visible[name]
                todo += fixtures[visible[name]][name][1]
        for folder, names in sorted(wanted.items()):
            by_module: dict[str, list[str]] = collections.defaultdict(list)
            for name, home in names.items():
                module = ".".join(("tests", *homes[home].relative_to(tests).with_suffix("").parts))
                by_module[module].append(name)
            lines = [f"from {module} import {', '.join(sorted(each))}" for module, each in sorted(by_module.items())]
            every = sorted(name for each in by_module.values() for name in each)
            place = folder / "conftest.py"
            if place.exists():
                self.say(f"{place} exists; add: {lines}")
                continue
            place.write_text('"""Fixtures of these tests."""\n\n' + "\n".join(lines) + f"\n\n__all__ = {every!r}\n", encoding="utf-8")

    def rename_test_modules(self, moves: dict[Path, Path]) -> None:
        for path in (self.root / "tests").rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            new = text
            for old, target in sorted(self.test_modules.items(), key=lambda item: -len(item[0])):
                new = re.sub(rf"\b{re.escape(old)}\b", target, new)
                package, _, stem = old.rpartition(".")
                to_package, _, to_stem = target.rpartition(".")
                new = re.sub(rf"\bfrom {re.escape(package)} import {stem}\b", f"from {to_package} import {to_stem}" + (f" as {stem}" if stem != to_stem else ""), new)
            if new != text:
                path.write_text(new, encoding="utf-8")
        paths = {old.relative_to(self.root).as_posix(): new.relative_to(self.root).as_posix() for old, new in moves.items()}
        for path in [*self.root.glob("*.md"), *self.root.glob("Makefile"), *(self.root / "docs").rglob("*.md"), *(self.root / "tools").rglob("*.py"),
                     *(self.root / ".github").rglob("*.y*ml"), *(self.root / "tests").rglob("*.py"), *(self.root / "src").rglob("*.py")]:
            if HERE in path.parents:
                continue
            text = path.read_text(encoding="utf-8")
            new = re.sub(r"tests/[\w/.\-]+", lambda match: paths.get(match[0].rstrip("."), match[0].rstrip(".")) + match[0][len(match[0].rstrip(".")) :], text)
            if new != text:
                path.write_text(new, encoding="utf-8")

    # by hand

    def patch(self) -> None:
        """Apply patches.txt: blocks of `=== path`, old text, `---`, new text."""
        table = HERE / "patches.txt"
        if not table.exists():
            return
        for block in re.split(r"^=== ", table.read_text(), flags=re.M)[1:]:
            head, _, rest = block.partition("\n")
            old, _, new = rest.partition("\n---\n")
            path = self.root / head.strip()
            new = new.removesuffix("\n\n").removesuffix("\n")
            if not path.exists():
                self.say(f"patch: {head} is not there")
                continue
            text = path.read_text(encoding="utf-8")
            if old not in text:
                self.say(f"patch: not found in {head}: {old.splitlines()[0] if old else ''}")
                continue
            path.write_text(text.replace(old, new), encoding="utf-8")
        for path in (HERE / "files").rglob("*") if (HERE / "files").exists() else ():
            if path.is_file():
                place = self.root / path.relative_to(HERE / "files")
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)

    def tidy(self) -> None:
        ruff = self.root / ".venv-test" / "bin" / "ruff"
        tool = str(ruff) if ruff.exists() else "ruff"
        for command in (["check", "--select", "I,F401,RUF022,RUF023,UP,TC004,PIE790", "--fix", "-q", "."], ["format", "-q", "."], ["check", "--fix", "--output-format", "concise", "."]):
            done = subprocess.run([tool, *command], cwd=self.root, capture_output=True, text=True)  # noqa: S603
            if command[0] == "check" and "-q" not in command and done.returncode:
                self.say(f"ruff:\n{done.stdout}")


if __name__ == "__main__":
    move = Move(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    if "--check" in sys.argv:
        move.notes += move.plan.check()
    else:
        move.run()
    for each in dict.fromkeys(move.problems):
        print(each)
    print(f"{len(move.notes)} notes, {len(set(move.problems))} problems")
    if "-v" in sys.argv:
        print("\n".join(move.notes))
