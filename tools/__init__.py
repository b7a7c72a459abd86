"""What builds things that are not Python: the programs of the control plane (`go.mod`) and the container image."""
