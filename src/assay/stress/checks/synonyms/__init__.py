"""In which places of running text a synonym means the same: for each word pair, the evidence that it needs.

In a caption, a word nearly always has its everyday sense. In running text "film" may be a layer, and "under" a law, so
a pair counts only if it stands in a table, and only where its evidence is found.
"""
