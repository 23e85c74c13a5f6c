"""From pairs to cases: one family of tests a file. Every transform is pure, versioned and registered."""
