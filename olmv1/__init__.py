"""What the components of OLM v1 share: API types, catalog model, versions, and the clients of the outside world."""
