"""From cases and answers to sums: columns of numbers, counted by slice and by cluster."""
