"""Syntactic heuristics (McCoy et al. 2019): a grammar that generates, recognises and proves their test pairs."""
