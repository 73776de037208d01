"""`python -m opwright` is the same as the `opwright` command."""

from opwright.cli.main import run

if __name__ == "__main__":
    run()
