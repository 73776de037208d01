"""When operators came and went.

In: the name of an operator that a release does not have. Out: a sentence about the release that had it last, or the
first one that has it.

    when_there("align_to", "2.13")  ->  "it was last there in PyTorch 2.12"

It is asked for faults only: answering reads what is known of all releases.
"""

from __future__ import annotations

from opwright.releases.operators import read_facts


def when_there(name: str, release: str) -> str | None:
    """When an operator that `release` lacks was or will be there; None when that is not known."""
    facts = read_facts()
    number, there = facts.number(release), facts.with_operator(name)
    if not there or number in there:
        return None
    before = [one for one in there if one < number]
    if before:
        return f"it was last there in PyTorch {facts.releases[max(before)]}"
    return f"it came with PyTorch {facts.releases[min(there)]}"
