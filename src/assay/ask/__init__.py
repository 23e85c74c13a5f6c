"""Asking models about one pair, and explaining their answers: by word, and by what tests make of the pair."""
