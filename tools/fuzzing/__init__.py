"""What `tools/fuzz.py` gives to whom."""
