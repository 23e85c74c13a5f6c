"""Labels from the sentences alone: they are read, and all worlds up to a size that decides are gone through."""
