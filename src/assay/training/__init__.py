"""From pairs to checkpoints."""
