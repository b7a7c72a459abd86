"""The container image without a container engine: the steps of the Containerfile, carried out in plain folders.

`containerfile` reads the steps, `stages` carries them out, `debian` stands in for the base images, `confined` runs a
command with a folder as its root. `assemble` and `launchers` run inside the build, with nothing but Python.
"""
