"""Reading a YAML file of settings: values stay text, and nothing in it can expand to more than is written."""

from pathlib import Path
from typing import Any

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


def read_yaml(path: Path) -> Any:
    """What the file holds: text, lists and mappings; None if it is empty."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _AsWritten)  # noqa: S506 - makes text only
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
