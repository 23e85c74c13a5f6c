"""Plans of training studies, mitigations, the papers' analyses, and experiments."""
