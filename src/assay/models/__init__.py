"""From cases to predictions: the systems of the papers, and adapters for other people's models."""
