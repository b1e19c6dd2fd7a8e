"""Writes the golden games and perft counts anew (`make golden`).

Any difference to the files in the repository is a change of the rules and belongs in the changelog.
"""

from __future__ import annotations

import yaml

from tests.golden.perft import COUNTS, count
from tests.golden.transcript import FOLDER, GAMES, play


def main() -> None:
    for name, settings in GAMES.items():
        start, lines = play(settings)
        (FOLDER / f"{name}.yaml").write_text(start.dump(), "utf-8")
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    cases = yaml.safe_load(COUNTS.read_text("utf-8"))
    head = COUNTS.read_text("utf-8").split("- position", 1)[0]
    rows = []
    for case in cases:
        sequences, positions = count(case["position"], case["depth"])
        rows.append(
            f"- position: {case['position']}\n  depth: {case['depth']}\n"
            f"  sequences: {sequences}\n  positions: {positions}\n"
        )
    COUNTS.write_text(head + "".join(rows), "utf-8")


if __name__ == "__main__":
    main()
