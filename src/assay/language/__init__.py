"""Knowledge of English for the builders, checks and baselines."""
