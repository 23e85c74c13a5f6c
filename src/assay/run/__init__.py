"""From a spec to a stored record: build, predict, measure, verify."""
