"""The generated files: one module per family, a registry in order. From facts to texts; nothing here touches the disk."""
