"""Where does the YAML parser stop, and what does it see until then?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

# libyaml's where PyYAML was built with it.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def events(text: str) -> Iterator[Any]:
    """The parser's events, one by one. Raises yaml.YAMLError where it can't go on."""
    loader = LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


def error_in(text: str) -> yaml.MarkedYAMLError | None:
    """What the parser stops at, or None where it reads all of ``text``."""
    try:
        loader = LOADER(text)
        try:
            # libyaml runs through a text in a tenth of the time that its events take.
            if hasattr(loader, "raw_parse"):
                loader.raw_parse()
            else:
                while loader.check_event():
                    loader.get_event()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        return error
    return None
