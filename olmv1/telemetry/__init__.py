"""What the two components tell their operators: logs, probes, metrics.

The shell rooms and the `main` modules call it. It holds no rule of OLM and knows no Kubernetes client: whoever serves
metrics passes in the one call that reviews a token.
"""
