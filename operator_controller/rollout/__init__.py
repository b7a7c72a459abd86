"""Revisions on a cluster: creating them, applying their objects in phases, and taking them down again.

The rules are in `operator_controller.revisions`; this room reads and writes. Objects are written as the service account
of the revision and read as the controller. The reconcilers call it; it never writes a condition.
"""
