"""Knowledge of English for the builders, checks and baselines.

text/       tokens, sentences, clauses, and where two sentences differ
words/      inflection, names, word categories, WordNet's relations, a test for English
numbers/    numbers in a text, and which of them are quantities
resources/  WordNet, the tagger and word lists, as they are stored
fragment/   parser 1: a chart parser for small grammars: the HANS templates here and that of the logic families
in stress/logic/proof. It reads every sentence that they can make, so that a proof can start from words alone. A
sentence outside of the fragment has no tree
trees/      parser 2: trained, for any sentence. It makes the binary trees that SPINN reads, and may be wrong
polarity/   where inference turns around in any sentence, by the words around a place, for the builders. Their checks in
stress/logic judge it again without these tables: from_corpus/parsed_polarity.py by the parts of parser 2, and
proof/ by going through all worlds of a template's sentences
"""
