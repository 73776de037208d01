"""C++ as values: types, default values, string literals, and conversions between types."""
