"""Print, as constraints for pip, the oldest run-time dependencies that pyproject.toml allows."""

import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
for requirement in project["dependencies"]:
    print(requirement.replace(">=", "=="))
