"""Simulations that show how often each verdict of Assay is wrong; `benchmarks/calibration.py` prints them as one table."""
