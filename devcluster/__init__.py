"""A real Kubernetes control plane on this machine, for API tests, the demo and e2e; no part of the installed package.

Owns: the programs (built from `tools/`), their processes, a loopback OCI registry, test images, and both components of
OLM as real processes. Callers: `python -m devcluster`, `tests/api`, `e2e`, `benchmarks`. It holds no rule of OLM
and knows the components only by their flags.
"""
