"""Python files as definitions and references: what each top-level name is, and every place that refers to one."""

import ast
import builtins
import io
import re
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "assay"
Binding = tuple[str, ...]
"""('sym', module, name), ('mod', module), ('ext',) for other packages, ('var',) for anything local."""


@dataclass
class Scope:
    kind: str
    parent: "Scope | None"
    bound: dict[str, Binding] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)

    def lookup(self, name: str) -> "tuple[Scope, Binding] | None":
        scope: Scope | None = self
        first = True
        while scope:
            if (scope.kind != "class" or first) and name in scope.bound and name not in scope.outer:
                return scope, scope.bound[name]
            first = False
            scope = scope.parent
        return None

    def hides(self, name: str, until: "Scope") -> bool:
        """Whether a local name would catch a reference that belongs to an outer scope."""
        scope: Scope | None = self
        first = True
        while scope and scope is not until:
            if (scope.kind != "class" or first) and name in scope.bound and name not in scope.outer:
                return True
            first = False
            scope = scope.parent
        return False


@dataclass
class Ref:
    """A place that names something of the package."""

    start: int
    end: int
    kind: str
    """name, attr, import, string"""
    binding: Binding
    scope: Scope
    home: Scope
    text: str
    node: ast.AST | None = None
    alias: str = ""
    lazy: bool = False


@dataclass
class Item:
    """A top-level statement that is neither an import nor the docstring, with the comments before it."""

    start: int
    end: int
    names: list[str]
    node: ast.stmt
    uses: set[str] = field(default_factory=set)


class File:
    """One parsed file. `name` is the module's dotted name below the package, or '' for files elsewhere."""

    def __init__(self, path: Path, name: str, known: set[str], *, inside: bool) -> None:
        self.path, self.name, self.known, self.inside = path, name, known, inside
        self.text = path.read_text(encoding="utf-8")
        self.data = self.text.encode()
        self.tree = ast.parse(self.text)
        self.lines = [0]
        for line in self.data.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.refs: list[Ref] = []
        self.items: list[Item] = []
        self.imports: list[tuple[ast.stmt, bool]] = []
        self.doc: ast.Expr | None = None
        self.top = Scope("module", None)
        self.problems: list[str] = []
        self.strings: list[tuple[int, int, str]] = []
        self._split()
        self._bind(self.tree.body, self.top)
        for item in self.items:
            for name in item.names:
                self.top.bound[name] = ("sym", self.name, name) if inside else ("var",)
        self._walk_body(self.tree.body, self.top)
        self._doctests()
        self.refs.sort(key=lambda ref: ref.start)

    # positions

    def at(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    # statements

    def _split(self) -> None:
        body = self.tree.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            self.doc = body[0]
        last_end = 0
        for node in body:
            start_line = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
            end = self.lines[node.end_lineno]
            if node is self.doc:
                last_end = end
                continue
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imports.append((node, False))
                last_end = end
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and not node.orelse and all(
                isinstance(each, ast.Import | ast.ImportFrom) for each in node.body
            ):
                self.imports += [(each, True) for each in node.body]
                last_end = end
                continue
            start = self.lines[start_line - 1]
            while start_line - 1 > 0:
                before = self.data[self.lines[start_line - 2] : self.lines[start_line - 1]].strip()
                if before.startswith(b"#") and self.lines[start_line - 2] >= last_end:
                    start_line -= 1
                    start = self.lines[start_line - 1]
                else:
                    break
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
                and self.items
                and isinstance(self.items[-1].node, ast.Assign | ast.AnnAssign)
            ):
                self.items[-1].end = end
            else:
                scope = Scope("module", None)
                self._bind([node], scope, imports=False)
                self.items.append(Item(start, end, list(scope.bound), node))
            last_end = end

    def item_at(self, position: int) -> Item | None:
        return next((item for item in self.items if item.start <= position < item.end), None)

    # names that a scope binds

    def _import_binding(self, module: str, name: str) -> Binding:
        if module != PACKAGE and not module.startswith(PACKAGE + "."):
            return ("ext",)
        inner = module[len(PACKAGE) + 1 :]
        if inner == "":
            return ("mod", name) if name in self.known else ("ext",)
        full = f"{inner}.{name}"
        return ("mod", full) if full in self.known else ("sym", inner, name)

    def _bind(self, body: list[ast.stmt], scope: Scope, *, imports: bool = True) -> None:
        def add(name: str, binding: Binding = ("var",)) -> None:
            old = scope.bound.get(name)
            if old is not None and old != binding and old[0] in {"sym", "mod"} and scope.kind != "module":
                self.problems.append(f"{self.path}: {name} is bound twice in one scope")
            scope.bound[name] = binding

        def visit(node: ast.AST) -> None:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                add(node.name)
                for each in node.decorator_list:
                    visit(each)
                return
            if isinstance(node, ast.Lambda):
                return
            if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                for each in ast.walk(node):
                    if isinstance(each, ast.NamedExpr):
                        add(each.target.id)
                return
            if isinstance(node, ast.ImportFrom):
                if imports:
                    for alias in node.names:
                        add(alias.asname or alias.name, self._import_binding(node.module or "", alias.name))
                return
            if isinstance(node, ast.Import):
                if imports:
                    for alias in node.names:
                        first = alias.name.split(".")[0]
                        whole = alias.name[len(PACKAGE) + 1 :]
                        mine = first == PACKAGE and alias.asname and whole in self.known
                        add(alias.asname or first, ("mod", whole) if mine else ("root",) if first == PACKAGE else ("ext",))
                return
            if isinstance(node, ast.Global | ast.Nonlocal):
                scope.outer.update(node.names)
                return
            if isinstance(node, ast.AnnAssign) and node.value is None and scope.kind == "class":
                return
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                add(node.id)
            if isinstance(node, ast.ExceptHandler) and node.name:
                add(node.name)
            if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                add(node.name)
            if isinstance(node, ast.MatchMapping) and node.rest:
                add(node.rest)
            for each in ast.iter_child_nodes(node):
                visit(each)

        for each in body:
            visit(each)

    # references

    def _walk_body(self, body: list[ast.stmt], scope: Scope) -> None:
        for each in body:
            self._walk(each, scope)

    def _arguments(self, node: ast.AST, scope: Scope) -> None:
        given = node.args
        for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if each:
                scope.bound[each.arg] = ("var",)

    def _walk(self, node: ast.AST, scope: Scope, *, typing: bool = False) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in node.decorator_list:
                self._walk(each, scope)
            self._definition(node, scope)
            given = node.args
            for each in (*given.defaults, *given.kw_defaults):
                if each:
                    self._walk(each, scope)
            for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if each and each.annotation:
                    self._walk(each.annotation, scope, typing=True)
            if node.returns:
                self._walk(node.returns, scope, typing=True)
            inner = Scope("function", scope)
            self._arguments(node, inner)
            self._bind(node.body, inner)
            self._walk_body(node.body, inner)
            return
        if isinstance(node, ast.ClassDef):
            for each in (*node.decorator_list, *node.bases, *(word.value for word in node.keywords)):
                self._walk(each, scope)
            self._definition(node, scope)
            inner = Scope("class", scope)
            self._bind(node.body, inner)
            self._walk_body(node.body, inner)
            return
        if isinstance(node, ast.Lambda):
            for each in (*node.args.defaults, *node.args.kw_defaults):
                if each:
                    self._walk(each, scope)
            inner = Scope("function", scope)
            self._arguments(node, inner)
            self._walk(node.body, inner)
            return
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            inner = Scope("function", scope)
            for comp in node.generators:
                for each in ast.walk(comp.target):
                    if isinstance(each, ast.Name):
                        inner.bound[each.id] = ("var",)
            self._walk(node.generators[0].iter, scope)
            for number, comp in enumerate(node.generators):
                self._walk(comp.target, inner)
                if number:
                    self._walk(comp.iter, inner)
                for each in comp.ifs:
                    self._walk(each, inner)
            parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
            for each in parts:
                self._walk(each, inner)
            return
        if isinstance(node, ast.ImportFrom | ast.Import):
            self._import(node, scope)
            return
        if isinstance(node, ast.AnnAssign):
            if scope.kind != "class" or node.value is not None:
                self._walk(node.target, scope)
            self._walk(node.annotation, scope, typing=True)
            if node.value:
                self._walk(node.value, scope)
            return
        if isinstance(node, ast.Global | ast.Nonlocal):
            self._globals(node, scope)
            return
        if isinstance(node, ast.JoinedStr):
            self._fstring(node, scope)
            return
        if isinstance(node, ast.Attribute):
            if self._attribute(node, scope):
                return
            self._walk(node.value, scope)
            return
        if isinstance(node, ast.Name):
            start, end = self.span(node)
            self._name(node.id, start, end, scope)
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            start, end = self.span(node)
            if typing:
                self._quoted(node, scope)
            self.strings.append((start, end, node.value))
            return
        if isinstance(node, ast.Subscript) and typing and isinstance(node.value, ast.Name | ast.Attribute):
            self._walk(node.value, scope)
            literal = ast.unparse(node.value).endswith("Literal")
            self._walk(node.slice, scope, typing=not literal)
            return
        if isinstance(node, ast.Call):
            self._call(node, scope)
            return
        for each in ast.iter_child_nodes(node):
            self._walk(each, scope, typing=typing)

    def _definition(self, node: ast.AST, scope: Scope) -> None:
        if scope is not self.top or not self.inside:
            return
        start, _ = self.span(node)
        match = re.compile(rb"(?:async\s+)?(?:def|class)\s+").match(self.data, start)
        assert match
        self._name(node.name, match.end(), match.end() + len(node.name.encode()), scope)

    def _name(self, name: str, start: int, end: int, scope: Scope) -> None:
        found = scope.lookup(name)
        if not found or found[1][0] not in {"sym", "mod"}:
            return
        if self.data[start:end] != name.encode():
            self.problems.append(f"{self.path}: position of {name} is unknown")
            return
        self.refs.append(Ref(start, end, "name", found[1], scope, found[0], name))

    def _attribute(self, node: ast.Attribute, scope: Scope) -> bool:
        chain = [node.attr]
        inner: ast.AST = node.value
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            return False
        found = scope.lookup(inner.id)
        if not found or found[1][0] not in {"mod", "root"}:
            return False
        chain.reverse()
        module = found[1][1] if found[1][0] == "mod" else ""
        while chain and (f"{module}.{chain[0]}" if module else chain[0]) in self.known:
            module = f"{module}.{chain.pop(0)}" if module else chain.pop(0)
        if found[1][0] == "root" and not module:
            return False
        start, _ = self.span(inner)
        if not chain:
            self.refs.append(Ref(start, self.span(node)[1], "name", ("mod", module), scope, found[0], inner.id))
            return True
        part: ast.AST = node
        for _ in chain[1:]:
            part = part.value
        self.refs.append(Ref(start, self.span(part)[1], "attr", ("sym", module, chain[0]), scope, found[0], inner.id))
        return True

    def _call(self, node: ast.Call, scope: Scope) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        self._walk(node.func, scope)
        arguments = list(node.args)
        if name in {"setattr", "delattr", "getattr", "hasattr", "object", "setitem"} and len(arguments) >= 2:
            first, second = arguments[:2]
            if isinstance(first, ast.Name) and isinstance(second, ast.Constant) and isinstance(second.value, str):
                found = scope.lookup(first.id)
                if found and found[1][0] == "mod":
                    start, end = self.span(first)
                    word_start, word_end = self.span(second)
                    self.refs.append(
                        Ref(start, end, "patched", ("sym", found[1][1], second.value), scope, found[0], first.id)
                    )
                    self.refs.append(
                        Ref(word_start + 1, word_end - 1, "string", ("sym", found[1][1], second.value), scope, found[0], second.value)
                    )
                    arguments = arguments[2:]
        if name == "cast" and arguments and isinstance(arguments[0], ast.Constant):
            self._walk(arguments.pop(0), scope, typing=True)
        for each in arguments:
            self._walk(each, scope)
        for word in node.keywords:
            self._walk(word.value, scope, typing=word.arg == "bound")

    def _quoted(self, node: ast.Constant, scope: Scope) -> None:
        start, end = self.span(node)
        source = self.data[start:end].decode()
        if source[:1] not in "\"'" or source[:3] in {'"""', "'''"} or "\n" in source:
            return
        self._expression(source[1:-1], start + 1, scope)

    def _expression(self, code: str, start: int, scope: Scope) -> None:
        """References in the text of an expression that stands somewhere in the file."""
        try:
            tree = ast.parse(f"({code})", mode="eval")
        except SyntaxError:
            return
        inner = File.__new__(File)
        inner.path, inner.known, inner.inside, inner.name = self.path, self.known, self.inside, self.name
        inner.data = f"({code})".encode()
        inner.lines = [0]
        for line in inner.data.splitlines(keepends=True):
            inner.lines.append(inner.lines[-1] + len(line))
        inner.refs, inner.problems, inner.strings, inner.top = [], self.problems, [], self.top
        inner._walk(tree.body, scope)
        for ref in inner.refs:
            ref.start += start - 1
            ref.end += start - 1
            self.refs.append(ref)

    def _fstring(self, node: ast.JoinedStr, scope: Scope) -> None:
        start, end = self.span(node)
        source = b"(" + self.data[start:end] + b")"
        lines = [0]
        for line in source.splitlines(keepends=True):
            lines.append(lines[-1] + len(line))
        text = source.decode().splitlines(keepends=True)
        for token in tokenize.generate_tokens(io.StringIO(source.decode()).readline):
            if token.type != tokenize.STRING:
                continue
            prefix = re.match(r"[a-zA-Z]*", token.string)[0].lower()
            column = len(text[token.start[0] - 1][: token.start[1]].encode())
            where = start - 1 + lines[token.start[0] - 1] + column
            if "f" in prefix:
                self._fields(token.string, where, scope)

    def _fields(self, source: str, where: int, scope: Scope) -> None:
        quote = re.match(r"[a-zA-Z]*('''|\"\"\"|'|\")", source)
        assert quote
        position, stop = quote.end(), len(source) - len(quote[1])
        while position < stop:
            char = source[position]
            if char == "{" and source[position + 1] != "{":
                position = self._one_field(source, position + 1, where, scope)
            else:
                position += 2 if char == "{" or (char == "}" and source[position : position + 2] == "}}") else 1

    def _one_field(self, source: str, begin: int, where: int, scope: Scope) -> int:
        depth, position, quote = 0, begin, ""
        while True:
            char = source[position]
            if quote:
                if char == quote:
                    quote = ""
            elif char in "\"'":
                quote = char
            elif char in "([{":
                depth += 1
            elif char in ")]}" and depth:
                depth -= 1
            elif not depth and (char in "}:" or (char == "!" and source[position + 1] != "=") ):
                break
            elif not depth and char == "=" and source[position + 1] in "}:!" and source[position - 1] not in "=!<>":
                break
            position += 1
        self._expression(source[begin:position], where + len(source[:begin].encode()), scope)
        while source[position] != "}":
            if source[position] == "{":
                position = self._one_field(source, position + 1, where, scope)
            else:
                position += 1
        return position + 1

    def _globals(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        start, end = self.span(node)
        for name in node.names:
            for match in re.finditer(rb"\b" + name.encode() + rb"\b", self.data[start:end]):
                self._name(name, start + match.start(), start + match.end(), self.top)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        names = [module] if module else [alias.name for alias in node.names]
        if not any(each == PACKAGE or each.startswith(PACKAGE + ".") for each in names):
            return
        start, end = self.span(node)
        self.refs.append(Ref(start, end, "import", ("stmt",), scope, scope, "", node, lazy=scope is not self.top))

    # examples in docstrings

    def _doctests(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ">>> " in node.value:
                self._examples(*self.span(node))

    def _examples(self, start: int, end: int) -> None:
        code: list[str] = []
        places: list[int] = []
        position = start
        for line in self.data[start:end].splitlines(keepends=True):
            match = re.match(rb"\s*(?:r?\"\"\")?\s*(>>>|\.\.\.) ?", line)
            if match:
                code.append(line[match.end() :].decode().rstrip("\n"))
                places.append(position + match.end())
            position += len(line)
        try:
            tree = ast.parse("\n".join(code))
        except SyntaxError:
            self.problems.append(f"{self.path}: an example in a docstring could not be parsed")
            return
        inner = File.__new__(File)
        inner.path, inner.known, inner.inside, inner.name = self.path, self.known, False, self.name
        inner.data = "\n".join(code).encode()
        inner.lines = [0]
        for line in inner.data.splitlines(keepends=True):
            inner.lines.append(inner.lines[-1] + len(line))
        inner.refs, inner.problems, inner.strings, inner.top = [], self.problems, [], self.top
        scope = Scope("function", self.top)
        inner._bind(tree.body, scope)
        inner._walk_body(tree.body, scope)
        for ref in inner.refs:
            line = inner.data[: ref.start].count(b"\n")
            last = inner.data[: ref.end].count(b"\n")
            if line != last:
                self.problems.append(f"{self.path}: a reference in an example spans lines")
                continue
            move = places[line] - inner.lines[line]
            ref.start, ref.end = ref.start + move, ref.end + move
            if ref.kind == "import":
                ref.kind = "example import"
            self.refs.append(ref)


BUILTINS = set(dir(builtins))
