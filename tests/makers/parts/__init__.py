"""The fictitious parts of the sample library, described."""
