"""The project as its users meet it: features in their words, the demo, and the soak test, on a running cluster."""
