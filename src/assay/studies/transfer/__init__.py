"""Transfer tasks: classifiers on frozen vectors of texts, by SentEval's protocol."""
