"""The `olm` command, also `kubectl olm`: asks the rooms below and prints their answers; holds no rule of its own.

A command is one file in `commands/`. Typer and rich come with the extra `cli`; `main` says so when they are missing.
"""
