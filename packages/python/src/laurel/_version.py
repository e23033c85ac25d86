"""The version of the package, which is that of the service."""

__version__ = "0.2.0"
