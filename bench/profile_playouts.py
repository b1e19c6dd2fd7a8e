"""Plays uniform playouts and nothing else, for a profiler.

Instructions by function, the same on every run whatever else the machine does:

    valgrind --tool=callgrind --callgrind-out-file=out .venv/bin/python -m bench.profile_playouts
    callgrind_annotate out | grep burgundy
"""

from __future__ import annotations

import sys

import advisor
from bench.test_playouts import player


def main(playouts: int) -> None:
    decisions = player(advisor.new_game("burgundy", players=2, seed=7), playouts)()
    print(f"{playouts} playouts, {decisions} decisions")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
