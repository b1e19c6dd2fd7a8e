"""The games, one sub-package each, loaded when asked for."""
