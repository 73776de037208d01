"""What two programs made of the same operators, compared.

In: the folders that torchgen and Opwright wrote. Out: for each file whether both say the same, and what differs first.
Also runs the programs, each in a process of its own.
"""
