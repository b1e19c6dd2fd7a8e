"""Builds the Cython extensions; everything else about the package stands in pyproject.toml.

`ADVISOR_DEBUG=1` switches to a build with bounds checks and the address and undefined-behaviour
sanitizers (`make debug-test` runs the tests on it).
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("ADVISOR_DEBUG") == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
}

# The population count is on every x86-64 processor since 2009; nothing newer is asked for.
PORTABLE = ["-mpopcnt"] if platform.machine().lower() in {"x86_64", "amd64"} else []
# The vectoriser costs 3-9 % in the hot loops: they are short and full of branches.
# Contracted products round differently from machine to machine: answers would not repeat.
RELEASE = ["-O3", "-fno-tree-vectorize", "-ffp-contract=off", "-DNDEBUG", *PORTABLE]
SANITIZERS = "-fsanitize=address,undefined"
CHECKED = ["-O1", "-g", SANITIZERS, "-fno-sanitize-recover=undefined", *PORTABLE]

extensions = [
    Extension(
        ".".join(source.with_suffix("").parts),
        [str(source)],
        extra_compile_args=CHECKED if DEBUG else RELEASE,
        extra_link_args=[SANITIZERS] if DEBUG else [],
    )
    for source in sorted(Path("advisor").glob("**/*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        compiler_directives=DIRECTIVES,
    )
)
