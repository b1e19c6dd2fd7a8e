"""What all games share: position files, the registry, simulation."""
