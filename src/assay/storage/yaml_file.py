"""Reading a YAML file of settings: values stay text, and nothing in it can expand to more than is written."""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from assay.core.errors import BadInputError, BadRecordError


class _AsWritten(yaml.BaseLoader):
    """Values stay as they are written: a label called `no` is not a truth value, and click reads numbers itself."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        # Aliases of aliases can turn a few lines into gigabytes.
        if self.check_event(yaml.AliasEvent):
            alias: Any = self.peek_event()  # type: ignore[no-untyped-call]
            raise BadRecordError(
                f"line {alias.start_mark.line + 1} has the alias *{alias.anchor}", hint="Write the value out instead."
            )
        return super().compose_node(parent, index)


class YamlValue(NamedTuple):
    """A value of a YAML file, and where it is written."""

    value: Any  # text, a list of marked values, or a mapping from names to marked values
    line: int  # the line where it starts; for an entry of a mapping, that of its name

    @property
    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {name: each.plain for name, each in self.value.items()}
        return [each.plain for each in self.value] if isinstance(self.value, list) else self.value


def read_yaml(path: Path) -> Any:
    """The content of the file: text, lists and mappings; None if it is empty."""
    found = read_marked(path)
    return None if found is None else found.plain


def read_marked(path: Path) -> YamlValue | None:
    """The same, with lines."""
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), _AsWritten)
        return None if node is None else _marked(node, node.start_mark.line + 1)
    except BadRecordError as error:
        raise BadInputError(error.reason, where=str(path), hint=error.hint) from error
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise BadInputError(f"not YAML: {error.problem}", where=f"{path}{line}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadInputError(f"not a readable YAML file: {error}", where=str(path)) from error
    except RecursionError as error:
        raise BadInputError(
            "nested too deeply", where=str(path), hint="A setting is a value, a list or a mapping."
        ) from error


def _marked(node: yaml.Node, line: int) -> YamlValue:
    if isinstance(node, yaml.MappingNode):
        found: dict[str, YamlValue] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise BadRecordError(f"line {key.start_mark.line + 1}: a name must be text")
            found[key.value] = _marked(value, key.start_mark.line + 1)
        return YamlValue(found, line)
    if isinstance(node, yaml.SequenceNode):
        return YamlValue([_marked(each, each.start_mark.line + 1) for each in node.value], line)
    return YamlValue(node.value, line)
