"""How is a file replaced whole or not at all, with the permissions that it had and through a link to it?"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path

_NEW_MODE = 0o666


def replaced(path: str, data: bytes) -> None:
    """Put ``data`` in the place of what the file at ``path`` holds, or in a new file.

    Raises:
        OSError: It can't be written. What was there is there still.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _mode(target: Path) -> int:
    """The permissions of a file, or those that a new one gets. Raises OSError where they don't let it be written."""
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return _NEW_MODE & ~mask
    # Replacing asks the folder alone, so a file that isn't to be written has to be asked for it.
    if not target.is_file() or not mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return mode
