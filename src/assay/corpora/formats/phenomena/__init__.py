"""Sets that test single phenomena, such as negation or monotonicity: one file per format."""
