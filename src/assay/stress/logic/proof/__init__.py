"""Labels from the sentences alone: they are parsed, and all worlds up to a sufficient size are enumerated."""
