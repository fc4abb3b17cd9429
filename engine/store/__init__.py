"""Where a library lives: the SQLite catalogue and the LanceDB vectors."""
