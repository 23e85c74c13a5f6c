"""From a run's record to tables, figures and pages. Reports never touch models."""
