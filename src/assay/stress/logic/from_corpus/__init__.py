"""Logic in real sentences: how two texts differ, and which label the difference gives."""
