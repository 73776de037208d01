"""Calling conventions: ordered C++ parameters with meaning, one module per convention.

`bindings` makes the parameters, `dispatcher` and `public` are the conventions, `convert` gets from the parameters of
one to the arguments of another, and `facts` holds what the artifacts share about each operator.
"""
