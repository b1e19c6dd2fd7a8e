"""A learned judgement of positions: the net, its training, and turns chosen by it."""
