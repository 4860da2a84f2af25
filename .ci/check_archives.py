"""Do the built archives hold what they must, and nothing else?

Usage: check_archives.py DIST, from the root of a checkout. DIST holds one sdist and one wheel.
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

SHIPPED_FILES = ("__init__.py", "__main__.py", "py.typed", "routes.yaml", "routes.test.yaml")
SHIPPED_FOLDERS = ("engine", "handlers", "schema")


def shipped_paths() -> set[str]:
    """Return the checkout's files that a wheel must hold, relative to its root."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  # fixed words
    paths = {path for path in listing.split("\0") if path and Path(path).exists()}
    return {path for path in paths if path in SHIPPED_FILES or path.split("/")[0] in SHIPPED_FOLDERS}


def faults_of_sdist(sdist: Path, expected: set[str]) -> list[str]:
    """Return what the sdist lacks or holds too much."""
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    missing = (expected | {"LICENSE", "README.md", "pyproject.toml"}) - held
    unwanted = {name for name in held if name.startswith((".dev", ".venv", ".git/")) or "__pycache__" in name}
    return [f"sdist lacks {name}" for name in sorted(missing)] + [f"sdist holds {name}" for name in sorted(unwanted)]


def faults_of_wheel(wheel: Path, expected: set[str]) -> list[str]:
    """Return what the wheel lacks or holds too much."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {f"toolroute/{path}" for path in expected}
    return [f"wheel lacks {name}" for name in sorted(wanted - names)] + [
        f"wheel holds {name}" for name in sorted(names - wanted)
    ]


def main() -> int:
    """Print each fault and return 1, or say that there is none."""
    dist = Path(sys.argv[1])
    (sdist,) = dist.glob("*.tar.gz")
    (wheel,) = dist.glob("*.whl")
    expected = shipped_paths()
    faults = faults_of_sdist(sdist, expected) + faults_of_wheel(wheel, expected)
    faults += [f"the checkout lacks {name}" for name in SHIPPED_FILES if name not in expected]
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{sdist.name} and {wheel.name} hold the {len(expected)} files of the package")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
