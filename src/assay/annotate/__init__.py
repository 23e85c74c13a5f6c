"""The human check: cases out to annotators, answers in, gold labels and agreement."""
