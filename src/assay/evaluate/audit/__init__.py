"""What is wrong with a set of cases: words that give labels away, repeated cases, and cases from a training corpus."""
