"""From a diagnosis to a plan of mitigations."""
