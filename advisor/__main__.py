"""The entry of the command `advisor` and of `python -m advisor`.

Owns only the moment before the command line is loaded: Ctrl-C there ends in a sentence, too.
"""

from __future__ import annotations

import os
import sys


def run() -> None:
    """Load the command line and run it."""
    # Looking for plugins of pydantic takes a tenth of the start; there are none here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    try:
        from advisor.cli import main

        main(prog_name="advisor")
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was written\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
