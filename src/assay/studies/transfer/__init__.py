"""What frozen vectors of texts are good for: linear classifiers on top of them, as SentEval trains them."""
