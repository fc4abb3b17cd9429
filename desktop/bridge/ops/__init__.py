"""One named operation for each thing a user can do."""
