"""The generated files: one module per family, a registry in order. Nothing here touches the disk."""
