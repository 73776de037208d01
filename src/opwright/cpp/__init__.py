"""C++ as values: types, default values and string literals."""
