"""What players may be called, so that `roll Anna 3 5 white 4` can always be read back."""

from __future__ import annotations

from collections.abc import Sequence

RESERVED = ("white", "chance")
LONGEST = 80


def like(name: str) -> str:
    """Return what two names have in common that are too alike to tell apart."""
    return " ".join(name.casefold().split())


def fault(name: str, others: Sequence[str]) -> str | None:
    """Return what is wrong with a name beside those before it and what would be right, or None."""
    if not name.strip() or name != name.strip():
        return "a name is empty or has blanks at its ends; remove them"
    if len(name) > LONGEST:
        return f"a name has {len(name)} letters; use at most {LONGEST}"
    if not name.isprintable():
        return "a name has a character that cannot be printed; remove it"
    if like(name) in RESERVED:
        return f"a player may not be called '{name}'; choose another name"
    if name[-1].isdigit():
        return f"the name '{name}' ends in a number; write it as a word"
    for other in others:
        if like(other) == like(name):
            return f"the name '{name}' is too like '{other}'; choose another"
    return None
