"""The certificate of our own servers: from files, or made, renewed and shared among replicas through one Secret.

`wiring` of the components asks `serving` for it; what is due is decided in `renewal`, without a cluster. The other
side, which trusts the authority in that Secret, is `authorities`. Rule: docs/decisions/009. Nothing is imported here,
so that a process that makes no certificates does not pay for it.
"""
