"""Files to parsed documents, in killable child processes."""
