"""What comes of measuring: figures, comparisons, gates, examples, and what they amount to."""
