"""`python -m olm_cli`."""

from __future__ import annotations

from olm_cli.main import main

main()
