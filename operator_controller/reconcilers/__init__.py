"""The steps of a reconcile, one line each: read, decide by a pure room, write. Rule: house style 3.

`extension` moves a ClusterExtension towards its spec, `object_set` moves one revision; each writes one status.
"""
