"""How many calls are open at once: fewer when a server says that it is too much, and more again when it keeps up."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

GROWS_AFTER = 10
"""Good replies in a row, per open call, after which one more call may be open."""


class Pace:
    """Lets calls through; safe to use from several threads.

    >>> pace = Pace(most=8)
    >>> pace.too_much(None)
    >>> pace.at_once
    4
    """

    def __init__(
        self,
        *,
        most: int,
        rate: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.at_once = most
        self._most = most
        self._rate = rate
        self._sleep = sleep
        self._clock = clock
        self._open = 0
        self._good = 0
        self._resumes = 0.0
        self._next_call = 0.0
        self._free = threading.Condition()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until another call may be made, and count it while it is open."""
        with self._free:
            self._free.wait_for(lambda: self._open < self.at_once)
            self._open += 1
            now = self._clock()
            turn = max(now, self._resumes, self._next_call)
            if self._rate:
                self._next_call = turn + 60 / self._rate
        try:
            if turn > now:
                self._sleep(turn - now)
            yield
        finally:
            with self._free:
                self._open -= 1
                self._free.notify_all()

    def too_much(self, wait: float | None) -> None:
        """The server had too many calls: halve them, and let nobody call before it says."""
        with self._free:
            self.at_once = max(1, self.at_once // 2)
            self._good = 0
            self._resumes = max(self._resumes, self._clock() + (wait or 0.0))

    def good(self) -> None:
        """A call went well: after a while, one more may be open."""
        with self._free:
            self._good += 1
            if self.at_once < self._most and self._good >= GROWS_AFTER * self.at_once:
                self.at_once += 1
                self._good = 0
                self._free.notify_all()
