"""The papers' analyses: pure functions of cases, answers, counts and vectors."""
