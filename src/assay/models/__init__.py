"""From cases to predictions: the systems of the papers, and the adapters for everybody else's."""
