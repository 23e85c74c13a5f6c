"""Gates for pipelines: rules about a run, as a command and as a pytest plugin."""
