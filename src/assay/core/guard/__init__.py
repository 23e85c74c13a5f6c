"""Guards: they keep libraries and services to what they are asked to do."""
