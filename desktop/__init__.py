"""The window: PySide6 over the engine's facade, nothing else."""
