"""The rules of a revision, without a cluster: phases, storage of objects, ownership, probes and what is desired.

`operator_controller.rollout` acts on a cluster by these rules; nothing here reads or writes anything.
"""
