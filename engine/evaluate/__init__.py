"""Measuring Sheaf against questions whose answers and places are known."""
