"""Parsed documents to segments with their section path in front (HiQA, Algorithm 1)."""
