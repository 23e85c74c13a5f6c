"""Simulations that show how often each verdict of Assay is wrong; `benchmarks/calibration.py` prints one table."""
