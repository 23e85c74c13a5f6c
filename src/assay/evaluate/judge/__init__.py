"""From estimates to what they come to: what counts as a loss, findings, verdicts."""
