"""Sheaf's engine: parses document libraries, indexes them and answers from them. Importing it loads nothing heavy."""

__version__ = "0.1.0"
