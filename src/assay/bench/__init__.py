"""From a spec to a record: plans, workers, the store, resuming."""
