"""`python -m tools.image`: build the image and say where its root is and what it is made of."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.image.building import MIRROR, build_image
from tools.image.debian import BuildError
from tools.image.inventory import parts_of
from tools.image.oci import write_archive


def main() -> int:
    """Build; exit code 1 when a step fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.image", description="Build the image without a container engine."
    )
    parser.add_argument("--mirror", default=MIRROR, help="where Debian packages come from")
    parser.add_argument(
        "--build-arg", action="append", default=[], metavar="NAME=VALUE", help="as of the Containerfile"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="also write an OCI archive")
    given = parser.parse_args()
    try:
        arguments = dict(pair.split("=", 1) for pair in given.build_arg)
        image = build_image(arguments=arguments, mirror=given.mirror)
    except (BuildError, ValueError) as problem:
        sys.stderr.write(f"error: {problem}\n")
        return 1
    parts = parts_of(image.root)
    lines = [f"{size / 1e6:8.1f} MB  {part}" for part, size in parts.items()]
    sys.stdout.write("\n".join([*lines, f"{sum(parts.values()) / 1e6:8.1f} MB  together, in", str(image.root), ""]))
    if given.output:
        digest = write_archive(image.root, image.config, given.output)
        sys.stdout.write(f"{given.output}: {digest}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
