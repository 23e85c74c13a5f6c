"""From estimates to judgements: losses, findings, verdicts."""
