"""Keeps what is derived in step: the chart's copies of `config/`, its README, and `config/manifests.yaml`.

`make manifests` (`python -m tools.chart`) writes them all; tests compare them with what is committed. What is installed
is decided in `config/` and `charts/olmv1`, never here.
"""
