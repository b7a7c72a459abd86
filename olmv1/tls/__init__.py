"""TLS of every server and client of the two daemons: profiles, certificates that follow their files, trust.

`wiring` of the components builds contexts here. Nothing here opens a connection.
"""

from olmv1.tls.contexts import ClientContext, ReloadingContext, client_context, server_context
from olmv1.tls.profiles import Profile, profile_of

__all__ = ["ClientContext", "Profile", "ReloadingContext", "client_context", "profile_of", "server_context"]
