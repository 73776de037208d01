"""Text in, positioned syntax out: YAML nodes, records and schema trees. Nothing here knows what an operator means."""
