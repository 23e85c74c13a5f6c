"""What an endpoint does not accept in a question, learned from its refusals."""

import re
import threading
from collections.abc import Mapping
from typing import Any

LIMITS = ("max_tokens", "max_completion_tokens")
"""What the most tokens of a reply are called; newer servers refuse the first."""

MAY_GO = ("temperature", "seed", "top_logprobs", "logprobs")
"""What can be left out if a server refuses it. The first two change answers, so leaving them out is noted."""

REFUSAL = re.compile(
    r"unsupported|not supported|does not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|"
    r"extra inputs|extra fields|deprecated|not available|cannot be used|can't be used"
)


class Dialect:
    """Adapts questions to one endpoint; safe to use from several threads."""

    def __init__(self) -> None:
        self._limit = 0
        self._left_out: dict[str, None] = {}
        self._lock = threading.Lock()

    def written(self, question: Mapping[str, Any], *, most: int) -> dict[str, Any]:
        """The question as the endpoint takes it, with the most tokens of a reply under the name that it knows."""
        kept = {name: value for name, value in question.items() if name not in self._left_out}
        return kept if self._limit >= len(LIMITS) else {LIMITS[self._limit]: most, **kept}

    def learn(self, asked: Mapping[str, Any], refusal: str, *, keep: frozenset[str] = frozenset()) -> bool:
        """Whether the same question can be asked again without what was refused, except for what must be kept.

        >>> dialect = Dialect()
        >>> asked = dialect.written({"temperature": 0}, most=64)
        >>> dialect.learn(asked, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        True
        >>> dialect.written({"temperature": 0}, most=64)
        {'max_completion_tokens': 64, 'temperature': 0}
        """
        text = refusal.lower()
        if not REFUSAL.search(text):
            return False
        with self._lock:
            for place, name in enumerate(LIMITS):
                if name in asked and re.search(rf"\b{name}\b", text):
                    self._limit = max(self._limit, place + 1)
                    return True
            for name in MAY_GO:
                if name in asked and name not in keep and re.search(rf"\b{name}\b", text):
                    self._left_out[name] = None
                    return True
        return False

    def leave_out(self, *names: str) -> None:
        """Never ask for these again."""
        with self._lock:
            self._left_out.update(dict.fromkeys(names))

    @property
    def notes(self) -> list[str]:
        """What a careful reader should know."""
        found = [name for name in ("temperature", "seed") if name in self._left_out]
        return [f"the endpoint refuses {name}, so its own default holds" for name in found]
