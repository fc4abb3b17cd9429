"""Small parts that know nothing of libraries or answers."""
