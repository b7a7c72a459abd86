"""A small controller runtime: client, discovery, caches, work queue, controllers, leader election, Events.

The shell rooms of both components call it. It holds no rule of OLM, and objects stay raw mappings from end to end.
Nothing is imported here, so that a room pays only for the modules that it names.
"""
