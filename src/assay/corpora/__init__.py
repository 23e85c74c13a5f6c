"""From files and data sets to pairs: one reader per format, one card per data set."""
