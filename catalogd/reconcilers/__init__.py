"""What catalogd does about a ClusterCatalog: fetch, publish, withdraw, tell. Shell: no rule of its own.

`catalog` runs on the leader and alone writes to the cluster; `follower` runs on the other replicas; `garbage`,
`configuration` and `readiness` run on all of them. `wiring` starts them.
"""
