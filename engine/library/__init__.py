"""Watched folders: what lies in them, which documents those files are, and what changes."""
