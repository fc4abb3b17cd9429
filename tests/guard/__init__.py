"""What keeps the tests honest: no network, nothing left behind. `sitecustomize` carries the guard into children."""
