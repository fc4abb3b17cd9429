"""Long random runs, by command: `python -m tests.torture.<name> --rounds N --seed S`. The suite runs short seeds."""
