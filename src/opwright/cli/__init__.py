"""The command line: one module per verb. The only code that prints or exits."""
