"""Looking at the cases of a stored run: an index of columns and words, filters over it, and the counts beside them."""
