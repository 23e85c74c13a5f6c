"""From a diagnosis to a plan of remedies."""
