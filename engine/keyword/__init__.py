"""The keyword route: analysis, index and query; Whoosh lives only here."""
