"""From files and data sets to pairs: one reader a format, one card a data set."""
