"""Measurements of what the project promises to be fast in; run by `make bench`, never as tests.

Owns the cases (`cases/`, one file each), the measuring code that they share, and `README.md`, which records the
results. It drives the product from outside as a user would, and the pure rooms by their public functions; it holds no
rule of OLM.
"""
