"""From a file, an archive, a stream or the hub to rows."""
