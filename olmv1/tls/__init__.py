"""TLS of every server and client of the two daemons: profiles, certificates that follow their files, trust.

`wiring` of the components and `olmv1.serving_certificate` build contexts here. Nothing here opens a connection.
"""

from olmv1.tls.contexts import (
    ClientContext,
    ReloadingContext,
    bare_server_context,
    client_context,
    offer,
    server_context,
)
from olmv1.tls.profiles import Profile, profile_of

__all__ = [
    "ClientContext",
    "Profile",
    "ReloadingContext",
    "bare_server_context",
    "client_context",
    "offer",
    "profile_of",
    "server_context",
]
