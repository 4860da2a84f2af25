"""Is the installed package whole, and alone under its name?

Usage: check_installed.py TABLE, by the Python that toolroute is installed for, outside any checkout.
"""

import sys
from importlib.metadata import distribution, packages_distributions
from importlib.resources import files
from pathlib import Path

import toolroute


def main() -> int:
    """Print each fault and return 1, or say that there is none."""
    top_level = sorted(name for name, owners in packages_distributions().items() if "toolroute" in owners)
    package = files("toolroute")
    rules = package / "engine" / "table" / "rules"
    checks = {
        f"it puts {top_level} into site-packages": top_level == ["toolroute"],
        "it isn't imported from this environment": Path(str(package)).is_relative_to(sys.prefix),
        "its version isn't its metadata's": toolroute.__version__ == distribution("toolroute").version,
        "py.typed is missing": (package / "py.typed").is_file(),
        "routes.yaml is missing": (package / "routes.yaml").is_file(),
        "no schema is there": any(path.name.endswith(".json") for path in (package / "schema").iterdir()),
        "no page of a rule is there": any(path.name.endswith(".md") for path in rules.iterdir()),
        "the table doesn't load": toolroute.load(sys.argv[1]) is not None,
    }
    faults = [fault for fault, holds in checks.items() if not holds]
    for fault in faults:
        print(fault)
    if not faults:
        print(f"toolroute {toolroute.__version__} is whole, at {package}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
