"""The whole program, on real documents and real search models."""
