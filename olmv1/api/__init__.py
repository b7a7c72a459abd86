"""The API of OLM v1 as Python sees it: names, vocabulary of conditions, and models of the three kinds in `config/crd`.

Pure. Every room above imports it; it imports nothing but errors, manifests and selectors.
Import the modules, not the package.
"""
