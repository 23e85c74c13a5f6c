"""The version of the package, on its own so that asking for it costs nothing."""

__version__ = "0.1.0"
