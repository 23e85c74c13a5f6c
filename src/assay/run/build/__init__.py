"""Building a suite: recipes, cases, slices, and the folder that holds them."""
