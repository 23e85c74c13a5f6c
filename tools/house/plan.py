"""The plan of the move: which definition goes to which module under which name, and whether the house allows it."""

import ast
import collections
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from source import PACKAGE, Binding, File  # noqa: E402

LAYERS = ("core", "storage", "language", "corpora", "stress", "models", "evaluate", "run", "reports", "cli")
FEATURES = ("training", "studies", "annotate", "serve", "audit", "ask", "gate", "compare", "score", "export")
EXCEPTIONS = {"studies": {"training"}, "serve": {"annotate", "ask", "audit", "studies"}}
"""Features that may import others: studies train, and the web application shows what other features make."""
FIXED = {"build", "check", "command", "__init__"}
"""File names that every family and feature may have."""
HEAVY = {"torch", "transformers", "onnx", "onnxruntime", "starlette", "uvicorn", "duckdb", "scipy", "pandas", "polars",
         "jinja2", "rich", "yaml", "safetensors", "datasets", "spacy", "fsspec", "distributed", "numpy", "msgspec", "click", "zstandard"}
SUPERLATIVES = {"MOST", "LONGEST", "SHORTEST", "LARGEST", "SMALLEST", "FEWEST", "LEAST", "FARTHEST", "AT_ONCE", "FAR", "KNOWN",
                "MISSING", "SHOWN", "NO", "FEW", "HELD", "ENOUGH", "OPEN", "OWN", "ALL"}
VERBS = set("""add answer append ask build call check choose close collect compare convert copy count cut decode describe draw drop encode
 fill find finish fit forget gather get guess have hold is join keep list load look lower make mark match measure merge move name number
 open order pack parse pick place plan point print put raise rank read refuse remove rename render replace report rest restore run save say
 score search see send set show skip sort split start state stop store sum swap take tell test train try turn undo use verify wait walk
 weigh with without wrap write""".split())


def module_names(root: Path) -> dict[str, Path]:
    found = {}
    for path in sorted((root / "src" / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root / "src" / PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


class Plan:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[str] = []
        self.notes: list[str] = []
        paths = module_names(root)
        known = set(paths) - {""}
        self.known = known
        self.files = {name: File(path, name, known, inside=True) for name, path in paths.items()}
        for each in self.files.values():
            self.problems += each.problems
        self._read_map()
        self._assign()
        self._name()

    # the map

    def _read_map(self) -> None:
        self.docs: dict[str, str] = {}
        self.sources: dict[str, list[str]] = {}
        self.packages: dict[str, str] = {}
        """Old package -> new package."""
        self.package_docs: dict[str, str] = {}
        self.whole: dict[str, str] = {}
        self.single: dict[tuple[str, str], str] = {}
        section = ""
        for line in (HERE / "map.txt").read_text().splitlines():
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                section = line.strip("[]")
                continue
            rest, _, doc = line.partition("|")
            new, _, old = rest.partition("=")
            new, doc, olds = new.strip(), doc.strip(), old.split()
            if section == "packages":
                self.package_docs[new] = doc
                for each in olds:
                    self.packages[each] = new
                continue
            self.docs[new] = doc
            self.sources.setdefault(new, [])
            for each in olds:
                module, _, name = each.partition(":")
                if module not in self.known:
                    self.notes.append(f"map: {module} is gone")
                    continue
                if module not in self.sources[new]:
                    self.sources[new].append(module)
                if name:
                    self.single[module, name] = new
                elif module in self.whole:
                    self.problems.append(f"map: {module} twice")
                else:
                    self.whole[module] = new
        self.dropped: set[str] = set()
        for name, file in self.files.items():
            if name and name not in self.whole and name not in {"__main__", "version"}:
                if not file.items:
                    continue
                if len(file.items) == 1 and file.items[0].names == ["__all__"]:
                    self.dropped.add(name)
                    continue
                top = self._guess(name)
                self.problems.append(f"map: {name} is new; put to {top}")
                self.whole[name] = top
                self.sources.setdefault(top, []).append(name)
                self.docs.setdefault(top, "")

    def _guess(self, name: str) -> str:
        """Where a module goes that the map does not know: beside the most of its neighbours."""
        package = name.rpartition(".")[0]
        near = collections.Counter(
            new.rpartition(".")[0] for old, new in self.whole.items() if old.rpartition(".")[0] == package
        )
        home = near.most_common(1)[0][0] if near else self.packages.get(package, package)
        return f"{home}.{name.rpartition('.')[2]}"

    # which definition goes where

    def resolve(self, binding: Binding) -> Binding:
        """Follow imports to where something is defined."""
        for _ in range(20):
            if binding[0] == "mod":
                package, _, name = binding[1].rpartition(".")
                hidden = self.files[package].top.bound.get(name) if package in self.files and package else None
                if hidden and hidden[0] == "sym" and hidden[1] != package:
                    binding = hidden
                    continue
            if binding[0] != "sym":
                return binding
            _, module, name = binding
            if f"{module}.{name}" in self.known:
                return ("mod", f"{module}.{name}")
            file = self.files.get(module)
            if file is None or name not in file.top.bound:
                return binding
            inner = file.top.bound[name]
            if inner == binding or inner[0] in {"ext", "var", "root"}:
                return binding
            binding = inner
        return binding

    def _assign(self) -> None:
        self.target: dict[tuple[str, str], str] = {}
        self.item_target: dict[tuple[str, int], str] = {}
        for name in ("__main__", "version"):
            self.whole[name] = name
        for module, new in self.whole.items():
            file = self.files[module]
            singles = {name: target for (old, name), target in self.single.items() if old == module}
            places: dict[int, str] = {}
            for number, item in enumerate(file.items):
                found = {singles[name] for name in item.names if name in singles}
                if found:
                    places[number] = found.pop()
            users: dict[int, set[int]] = collections.defaultdict(set)
            owner = {name: number for number, item in enumerate(file.items) for name in item.names}
            for ref in file.refs:
                item = file.item_at(ref.start)
                if item and ref.kind in {"name", "string"} and ref.binding[:2] == ("sym", module):
                    used = owner.get(ref.binding[2])
                    by = file.items.index(item)
                    if used is not None and used != by:
                        users[used].add(by)
            if singles:
                changed = True
                while changed:
                    changed = False
                    for number, item in enumerate(file.items):
                        if number in places or not users[number] or not all(name.startswith("_") or name.isupper() for name in item.names):
                            continue
                        homes = {places.get(by, new) for by in users[number]}
                        if len(homes) == 1 and (home := homes.pop()) != new:
                            places[number] = home
                            changed = True
            for number, item in enumerate(file.items):
                place = places.get(number, new)
                self.item_target[module, number] = place
                for name in item.names:
                    self.target[module, name] = place

    # what everything is called

    def _name(self) -> None:
        self.renames: dict[tuple[str, str], str] = {}
        table = HERE / "names.txt"
        for line in table.read_text().splitlines() if table.exists() else []:
            words = line.partition("#")[0].split()
            if not words:
                continue
            module, old, new = words
            if (module, old) not in self.target:
                self.notes.append(f"names: {module}:{old} is gone")
                continue
            self.renames[module, old] = new
        self.new_name: dict[tuple[str, str], str] = {
            symbol: self.renames.get(symbol, symbol[1]) for symbol in self.target
        }
        self.same: set[tuple[str, int]] = set()
        self.automatic: list[str] = []
        for new, modules in self.sources.items():
            self._clashes(new, modules)

    def _text(self, module: str, number: int) -> str:
        item = self.files[module].items[number]
        return ast.unparse(item.node)

    def _clashes(self, new: str, modules: list[str]) -> None:
        taken: dict[str, list[tuple[str, int, str]]] = collections.defaultdict(list)
        for module in modules:
            for number, item in enumerate(self.files[module].items):
                if self.item_target[module, number] != new:
                    continue
                for name in item.names:
                    taken[self.new_name[module, name]].append((module, number, name))
        for name, places in taken.items():
            if len({place[0] for place in places}) < 2:
                continue
            texts = {self._text(module, number) for module, number, _ in places}
            simple = all(isinstance(self.files[m].items[n].node, ast.Assign | ast.AnnAssign) for m, n, _ in places)
            if len(texts) == 1 and (simple or name.startswith("_")) and self._alike(places):
                self.same.update((module, number) for module, number, _ in places[1:])
                continue
            keep = next((i for i, (m, _, n) in enumerate(places) if (m, n) in self.renames), 0)
            for i, (module, _, old) in enumerate(places):
                if i == keep or (module, old) in self.renames:
                    continue
                better = self._better(module, old, set(taken))
                self.new_name[module, old] = better
                self.automatic.append(f"{module}:{old} -> {better} (in {new})")

    def _alike(self, places: list[tuple[str, int, str]]) -> bool:
        """Whether equal texts also mean the same: every name in them is the same thing in each module."""
        seen = []
        for module, number, name in places:
            file = self.files[module]
            item = file.items[number]
            refs = [
                self.resolve(ref.binding) for ref in file.refs
                if item.start <= ref.start < item.end and ref.binding[:3] != ("sym", module, name)
            ]
            seen.append(refs)
        return all(refs == seen[0] for refs in seen)

    def _better(self, module: str, name: str, taken: set[str]) -> str:
        stem = module.rpartition(".")[2].strip("_")
        bare = name.lstrip("_")
        dash = "_" * (len(name) - len(bare))
        if bare.isupper():
            loud = stem.upper()
            made = f"{bare}_{loud}" if bare.split("_")[0] in SUPERLATIVES or bare in SUPERLATIVES else f"{loud}_{bare}"
        elif bare[:1].isupper():
            made = "".join(part.capitalize() for part in stem.split("_")) + bare
        elif bare.split("_")[0] in VERBS:
            made = f"{bare}_{stem}"
        else:
            made = f"{stem}_{bare}"
        made = dash + made
        while made in taken:
            made += "_"
        taken.add(made)
        return made

    # rules of the house

    def new_module(self, binding: Binding) -> str | None:
        binding = self.resolve(binding)
        if binding[0] == "mod":
            return self.whole.get(binding[1]) or self.packages.get(binding[1])
        if binding[0] == "sym":
            return self.target.get(binding[1:])
        return None

    def edges(self) -> dict[str, dict[str, set[str]]]:
        """New module -> new module -> how it is imported (top, lazy, typing) with an example."""
        found: dict[str, dict[str, set[str]]] = collections.defaultdict(lambda: collections.defaultdict(set))
        rank = {}
        for module, file in self.files.items():
            typing = {alias.asname or alias.name for node, only in file.imports if only for alias in node.names}
            for ref in file.refs:
                if ref.kind == "import" or ref.kind == "example import":
                    continue
                item = file.item_at(ref.start)
                if item is None or module not in self.whole:
                    continue
                here = self.item_target[module, file.items.index(item)]
                if ref.kind == "name" and ref.home.kind == "function" and ref.home.parent is file.top and ref.end <= item.start:
                    continue
                there = self.new_module(ref.binding)
                if there is None or there == here:
                    continue
                in_doc = ref.home is not file.top
                how = "lazy" if in_doc else "typing" if ref.text in typing else "top"
                found[here][there].add(f"{how} {module}:{item.names[0] if item.names else '?'} -> {'.'.join(ref.binding[1:])}")
        return found

    def check(self) -> list[str]:
        wrong = []
        edges = self.edges()
        for here, targets in sorted(edges.items()):
            mine = here.split(".")[0]
            for there, examples in sorted(targets.items()):
                theirs = there.split(".")[0]
                if mine == theirs:
                    continue
                if theirs == "version" or mine == "__main__":
                    continue
                if mine == "cli" and theirs in FEATURES:
                    good = True
                elif mine in LAYERS:
                    good = theirs in LAYERS and LAYERS.index(theirs) < LAYERS.index(mine)
                else:
                    good = theirs in LAYERS or theirs in EXCEPTIONS.get(mine, set())
                if not good:
                    wrong += [f"{here} imports {there}: {each}" for each in sorted(examples)]
        wrong += [f"cycle: {' '.join(each)}" for each in self.cycles(edges)]
        stems = collections.Counter(new.rpartition(".")[2] for new in self.sources)
        packages = {new for new in self.sources if any(other.startswith(new + ".") for other in self.sources)} | set(self.package_docs)
        wrong += [
            f"module name {stem} occurs {count} times: {[n for n in self.sources if n.rpartition('.')[2] == stem]}"
            for stem, count in stems.items() if count > 1 and stem not in FIXED
        ]
        classes = collections.defaultdict(list)
        for (module, name), new in self.target.items():
            file = self.files[module]
            node = next(item.node for item in file.items if name in item.names)
            if isinstance(node, ast.ClassDef):
                classes[self.new_name[module, name]].append(f"{module}:{name}")
        wrong += [f"class {name}: {' '.join(places)}" for name, places in sorted(classes.items()) if len(places) > 1]
        return wrong

    def weights(self) -> list[str]:
        """New modules that import something heavy at their top that none of their old modules did."""
        import functools

        direct: dict[str, set[str]] = {}
        above: dict[str, set[str]] = {}
        for module, file in self.files.items():
            direct[module] = {
                (node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
                for node, only in file.imports if not only for alias in node.names
            } & HEAVY
            above[module] = set()
            for node, only in file.imports:
                if only:
                    continue
                for alias in node.names:
                    if isinstance(node, ast.ImportFrom):
                        found = file._import_binding(node.module or "", alias.name)
                        if found[0] in {"mod", "sym"}:
                            above[module].add(found[1])

        def closure(start: dict[str, set[str]], own: dict[str, set[str]]) -> dict[str, set[str]]:
            @functools.cache
            def all_of(module: str) -> frozenset[str]:
                found = set(own.get(module, ()))
                for each in start.get(module, ()):
                    if each != module:
                        found |= all_of(each)
                return frozenset(found)

            return {module: set(all_of(module)) for module in {*start, *own}}

        old = closure(above, direct)
        new_direct: dict[str, set[str]] = collections.defaultdict(set)
        for new, modules in self.sources.items():
            for module in modules:
                new_direct[new] |= direct[module]
        edges = self.edges()
        graph = {
            here: {there for there, how in targets.items() if any(each.startswith("top") for each in how)}
            for here, targets in edges.items()
        }
        new = closure(graph, new_direct)
        found = []
        for name, modules in sorted(self.sources.items()):
            for module in modules:
                more = new.get(name, set()) - old[module] - {"numpy", "msgspec", "click", "yaml"}
                if more:
                    why = [f"{there} ({' '.join(sorted(new.get(there, set()) & more))})" for there in sorted(graph.get(name, ())) if new.get(there, set()) & more]
                    found.append(f"heavy: {name} from {module}: {' '.join(sorted(more))} through {', '.join(why) or 'its own imports'}")
        return found

    def cycles(self, edges: dict[str, dict[str, set[str]]]) -> list[list[str]]:
        graph = {
            here: {there for there, how in targets.items() if any(each.startswith("top") for each in how)}
            for here, targets in edges.items()
        }
        index: dict[str, int] = {}
        low: dict[str, int] = {}
        stack: list[str] = []
        found: list[list[str]] = []
        sys.setrecursionlimit(10000)

        def visit(node: str) -> None:
            index[node] = low[node] = len(index)
            stack.append(node)
            for other in sorted(graph.get(node, ())):
                if other not in index:
                    visit(other)
                    low[node] = min(low[node], low[other])
                elif other in stack:
                    low[node] = min(low[node], index[other])
            if low[node] == index[node]:
                group = []
                while True:
                    each = stack.pop()
                    group.append(each)
                    if each == node:
                        break
                if len(group) > 1:
                    found.append(sorted(group))

        for node in sorted(graph):
            if node not in index:
                visit(node)
        return found


if __name__ == "__main__":
    plan = Plan(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for each in (*plan.problems, *plan.notes, *plan.check(), *(plan.weights() if "-w" in sys.argv else ())):
        print(each)
    lines = collections.Counter()
    for (module, number), new in plan.item_target.items():
        item = plan.files[module].items[number]
        lines[new] += plan.files[module].data[item.start : item.end].count(b"\n") + 2
    sizes = sorted(lines.values())
    print(f"{len(plan.sources)} modules, median {sizes[len(sizes) // 2]} lines without imports, largest {lines.most_common(5)}")
    print(f"{len(plan.automatic)} names changed because they clash")
    if "-v" in sys.argv:
        print("\n".join(plan.automatic))
