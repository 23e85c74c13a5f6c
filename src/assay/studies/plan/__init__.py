"""Studies of trainings from a plan: systems x regimes x seeds, cell by cell, and one record at the end."""
