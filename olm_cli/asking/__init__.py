"""From the options of a command to a question for the resolver: about a package, or about an extension of the cluster.

Imported by commands only once they have something to ask: catalogs and the resolver come with it. What is about an
extension is in `asking.extension`, which needs a Kubernetes client.
"""

from __future__ import annotations

from olm_cli.asking.question import Asked, asked_about_package, code_of

__all__ = ["Asked", "asked_about_package", "code_of"]
