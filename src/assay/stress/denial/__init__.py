"""The family denial: a claim and its exact opposite."""
