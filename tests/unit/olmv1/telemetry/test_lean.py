from __future__ import annotations

import subprocess
import sys

import pytest

# In a process of its own: this one has imported both long ago.
CHECK = """
import sys
from olmv1.telemetry.lean import import_structlog
{before}
import_structlog()
print("structlog" in sys.modules, "rich" in sys.modules)
import rich.console
print(rich.console.Console.__name__)
"""


def said_by(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_structlog_is_imported_without_rich_which_others_still_get() -> None:
    assert said_by(CHECK.format(before="")) == "True False\nConsole\n"


def test_rich_that_is_imported_already_stays() -> None:
    assert said_by(CHECK.format(before="import rich")) == "True True\nConsole\n"


@pytest.mark.parametrize("component", ["catalogd", "operator_controller"])
def test_a_component_starts_without_rich(component: str) -> None:
    program = f"""
import sys
sys.argv = ["{component}", "version"]
from {component}.main import main
try:
    main()
finally:
    print(sorted({{"rich", "pygments", "typer"}} & set(sys.modules)))
"""
    assert said_by(program).splitlines()[-1] == "[]"
