"""Simulations of how often each verdict of Assay is wrong; `benchmarks/calibration.py` prints them as one table."""
