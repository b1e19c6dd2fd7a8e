"""Libraries that not everybody needs: imported when used, and named in a sentence when missing."""

from __future__ import annotations

import importlib
from typing import Any

from advisor.errors import AdvisorError


class MissingLibraryError(AdvisorError):
    """A library that this task needs is not installed."""


def require(library: str, extra: str) -> Any:
    """Return an imported library.

    Args:
        library: the module's name.
        extra: the extra of this package that installs it.

    Raises:
        MissingLibraryError: it is not installed.

    """
    try:
        return importlib.import_module(library)
    except ImportError:
        name = library.partition(".")[0]
        raise MissingLibraryError(
            f'{name} is not installed; it comes with: pip install "advisor[{extra}]"'
        ) from None
