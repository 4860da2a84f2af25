"""``python -m toolroute``: the command line."""

from .engine.cli.app import main

if __name__ == "__main__":
    main()
