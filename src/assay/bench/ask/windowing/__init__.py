"""Long premises in windows: how they are split, and how models are asked about them."""
