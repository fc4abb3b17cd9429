"""The window around the engine. PySide6 lives only here; the engine is reached only through `desktop.bridge`."""
