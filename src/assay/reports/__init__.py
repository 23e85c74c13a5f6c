"""From a run's record to tables, charts and pages. Reports never touch models."""
