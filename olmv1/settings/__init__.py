"""Settings of the daemons: one frozen model that is read once from flags and environment.

`catalogd.settings` and `operator_controller.settings` extend `CommonSettings`; their `main` calls `settings_or_exit`.
Flags follow Go's spelling, so that the reference's manifests and guides work. Nothing here starts anything.
"""

from olmv1.settings.common import CommonSettings, SecretName
from olmv1.settings.flags import Flag, UsageError, read_flags
from olmv1.settings.gates import FeatureGates, Gate, GateKind
from olmv1.settings.load import parse_settings, settings_or_exit
from olmv1.settings.values import BindAddress, Duration, parse_bind_address, parse_duration_s

__all__ = [
    "BindAddress",
    "CommonSettings",
    "Duration",
    "FeatureGates",
    "Flag",
    "Gate",
    "GateKind",
    "SecretName",
    "UsageError",
    "parse_bind_address",
    "parse_duration_s",
    "parse_settings",
    "read_flags",
    "settings_or_exit",
]
