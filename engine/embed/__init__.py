"""Texts to unit vectors: the local embedder and its cache."""
