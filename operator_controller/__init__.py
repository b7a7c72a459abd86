"""The operator-controller: from a ClusterExtension to running objects, applied as the account that the user names."""
