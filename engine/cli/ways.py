"""Which mistakes does ``mutate`` make? Told here too, so that the help needs no more than this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WAYS: Final[Mapping[str, str]] = {
    "drop-precondition": "what a route requires is left out in whole or in part",
    "negate-precondition": "what a route requires is negated in whole or in part",
    "drop-condition": "a when or an unless is left out in whole or in part",
    "negate-condition": "a when or an unless is negated in whole or in part",
    "swap-routes": "two routes side by side change places",
    "drop-refusal": "a refuse clause is removed",
    "widen-callers": "a refuse clause refuses one caller more",
    "narrow-callers": "a refuse clause refuses one caller fewer",
    "misspell-name": "a name is a letter shorter or longer",
    "widen-glob": "a glob has less text beside a star",
    "exchange-source": "a source stands in another's place",
    "exchange-text": "another refusal is said",
}
