"""When operators, tags, dispatch keys and types came and went.

In: something that a release does not have. Out: a sentence about the release that had it last, or the first one that
has it.

    when_there("align_to", "2.13")  ->  "it was last there in PyTorch 2.12"

It is asked for faults only: answering reads what is known of all releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from opwright.releases import NAMES, named_release
from opwright.releases.operators import read_facts, releases_by_operator, releases_by_tag
from opwright.releases.release import Release


def when_there(name: str, release: str) -> str | None:
    """When an operator that `release` lacks was or will be there; None when that is not known.

    A name without overload also stands for operators that have one, if there was never an operator of that name.
    """
    facts = read_facts()
    return _sentence(facts.releases, _with_operator(name), facts.number(release))


def when_tag_there(name: str, release: str) -> str | None:
    """When a tag that `release` lacks was or will be there; None when that is not known."""
    facts = read_facts()
    return _sentence(facts.releases, releases_by_tag().get(name, ()), facts.number(release))


def when_known(is_known: Callable[[Release], bool], release: str) -> str | None:
    """When what `is_known` looks for was or will be known, if not in `release`; None when it is known nowhere."""
    there = [number for number, name in enumerate(NAMES) if is_known(named_release(name))]
    return _sentence(NAMES, there, NAMES.index(release))


def first_with(is_known: Callable[[Release], bool]) -> str | None:
    """The first release that knows what `is_known` looks for."""
    return next((name for name in NAMES if is_known(named_release(name))), None)


def came_in_turn(name: str, release: str) -> tuple[str, set[str]] | None:
    """The release, up to `release`, in which an operator went, and the operators that came with it.

    One of them may be the same operator under another name. None for an operator that has not gone.
    """
    facts = read_facts()
    last = max([number for number in _with_operator(name) if number < facts.number(release)], default=None)
    if last is None:
        return None
    came = {one for one, there in releases_by_operator().items() if last + 1 in there and last not in there}
    return facts.releases[last + 1], came


def _with_operator(name: str) -> set[int]:
    """The releases that have an operator, or else those that have operators of that name with overload names."""
    known = releases_by_operator()
    return known.get(name) or set().union(*[there for one, there in known.items() if one.startswith(f"{name}.")])


def _sentence(releases: Sequence[str], there: Iterable[int], number: int) -> str | None:
    """What to say of something that some releases have, in a release that should not."""
    there = set(there)
    if not there or number in there:
        return None
    before = [one for one in there if one < number]
    if before:
        return f"it was last there in PyTorch {releases[max(before)]}"
    return f"it came with PyTorch {releases[min(there)]}"
