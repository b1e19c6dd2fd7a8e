"""The Castles of Burgundy: components as data, the rules kernel, positions and notation."""
