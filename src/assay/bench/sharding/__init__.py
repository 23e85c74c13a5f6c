"""Work that is shared between machines: shards that any scheduler can start, and how they are merged."""
