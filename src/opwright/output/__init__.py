"""From finished text to files: templates are filled, and only what differs reaches the disk."""
