"""What one reconcile has learned, as values: the only thing that the `status` room reads.

A step of a reconcile replaces one field; what was learned before a failure is kept, so the status loses nothing.
"""
