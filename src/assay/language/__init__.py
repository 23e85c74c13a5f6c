"""What the builders and baselines know about English."""
