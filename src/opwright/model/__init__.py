"""Operators and what follows from them: the catalog, the rules, derived operators, groups, selection. No C++ here."""
