"""The gold standard of the rules of The Castles of Burgundy (base game, 2-4 players).

A literal engine in plain Python, written from the rulebooks of 2011 and 2019 and kept slow and
obvious on purpose: faster engines are compared with it. It shares no code and no data with them.
"""
