"""The generated files: one module per family, a registry in order. Templates are read here; nothing is written."""
