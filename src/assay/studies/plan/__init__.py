"""Studies of training runs from a plan: systems x conditions x seeds, and one record at the end."""
