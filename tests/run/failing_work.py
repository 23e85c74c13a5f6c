"""Work that fails once. Apart from the tests, because new workers import it while somebody counts the seconds."""

import os
import signal
import threading
from pathlib import Path


def dies_once(batch: bytes, marker: str) -> bytes:
    if not Path(marker).exists():
        Path(marker).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return batch.upper()


def hangs_once(batch: bytes, marker: str) -> bytes:
    if not Path(marker).exists():
        Path(marker).write_text("")
        threading.Event().wait()
    return batch.upper()
