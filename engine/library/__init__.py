"""Watched folders: scanning, identity of documents, watching."""
