"""From pairs to edits: one folder or file per family. Every transform is pure, versioned and registered."""
