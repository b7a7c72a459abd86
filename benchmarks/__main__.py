"""`python -m benchmarks [CASE…] [--json FILE] [--quick]`: measure, and print a table."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.case import FULL, QUICK, Case, MeasuringError, Row
from benchmarks.cases import CASES
from benchmarks.report import head, line, save, verdict
from benchmarks.stage import Stage
from devcluster.binaries import PROJECT_DIR
from devcluster.errors import DevClusterError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cases that are named, or all; 0 done, 1 when one could not be measured. Goals decide nothing."""
    options = _parser().parse_args(arguments)
    chosen = [case for case in CASES if not options.case or case.name in options.case]
    results: dict[str, list[Row]] = {}
    failed = 0
    began = time.monotonic()
    _use_bytecode()
    with Stage(QUICK if options.quick else FULL) as stage:
        for case in chosen:
            results[case.name] = []
            failed += not _run(case, stage, results[case.name])
    rows = [row for case in results.values() for row in case]
    print(f"{verdict(rows)}; measured in {time.monotonic() - began:.0f} s")
    if options.json:
        save(options.json, results)
    return 1 if failed else 0


def _use_bytecode() -> None:
    """Let the processes that are measured keep their bytecode, as installed programs do; the tree stays clean."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(PROJECT_DIR / ".tools" / "pycache")


def _run(case: Case, stage: Stage, rows: list[Row]) -> bool:
    """Whether the case ended well; its rows are printed as they come."""
    print(head(f"{case.name}: {case.title}"), flush=True)
    try:
        for row in case.run(stage):
            rows.append(row)
            print(line(row), flush=True)
    except (MeasuringError, DevClusterError, AssertionError) as failure:
        print(f"could not be measured: {failure}", flush=True)
        print(stage.state(), flush=True)
        return False
    return True


def _parser() -> argparse.ArgumentParser:
    known = "\n".join(f"  {case.name:12} {case.title}" for case in CASES)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog=f"cases:\n{known}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("case", nargs="*", choices=[[], *(case.name for case in CASES)], metavar="CASE")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that everything works")
    return parser


if __name__ == "__main__":
    sys.exit(main())
