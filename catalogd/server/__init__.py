"""The HTTP interface of catalogd: routes, preconditions, encodings, bodies.

`wiring` starts it with a store and a view of the catalogs; it never writes either. Rule: catalogd-http.md.
"""
