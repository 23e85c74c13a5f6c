"""The figures of a study, and tests between the regimes of a system."""
