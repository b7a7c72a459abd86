"""Compiled code of the image. Runs inside the build, with nothing but Python."""

from __future__ import annotations

import sys
from compileall import compile_dir
from pathlib import Path
from py_compile import PycInvalidationMode

__all__ = ["compile_tree"]


def compile_tree(folder: Path, root: Path) -> None:
    """Compile every source below `folder`, named as it will lie in the image whose root is `root` now.

    The image is read-only where it runs: what is not compiled here would be compiled at every start. The code is never
    compared with its source again; both come from the same build.
    """
    is_done = compile_dir(
        folder,
        maxlevels=50,
        quiet=1,
        force=True,
        stripdir=str(root),
        prependdir="/",
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    if not is_done:
        sys.exit(f"cannot compile everything below {folder}")
