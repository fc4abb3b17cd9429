"""Draws datasheets from descriptions and writes down what is truly on every page."""
