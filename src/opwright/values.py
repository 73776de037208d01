"""Values: small classes with slots and a constructor, made by the ten thousand and compared by identity.

In: a class with annotated fields. Out: the class with `__slots__` and the `__init__` that the fields ask for.

    class Kernel(Value):
        name: str
        is_structured: bool = False

    Kernel("blend_cpu").name  ->  "blend_cpu"

These are dataclasses to the type checker, frozen unless the class says `frozen=False`. At run time nothing guards a
field: the constructor of a frozen dataclass takes eight times as long as a plain one, and importing `dataclasses` and
having it make sixty classes takes a twentieth of a whole run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType

#: Type checkers know better. Importing this from `typing` takes a tenth of a run that has nothing to do; so modules
#: that such a run imports, or one that generates, have a name of their own.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeVar

    from typing_extensions import dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Say nothing at run time; what the decorator tells is for the type checker."""
        return lambda cls: cls


class _Missing:
    """Stands for an argument that was not given, and holds what makes the field then."""

    __slots__ = ("factory",)

    def __init__(self, factory: Callable[[], Any] | None) -> None:
        self.factory = factory


def made(*, default_factory: Callable[[], T]) -> T:
    """A field that `default_factory` makes anew for each value when it is not given."""
    return _Missing(default_factory)  # type: ignore[return-value]


def derived(*, init: Literal[False] = False) -> Any:
    """A field that `__post_init__` sets."""
    return _Missing(None)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(made, derived))
class ValueType(type):
    """Makes the slots and the constructor of a value class."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, frozen: bool = True
    ) -> ValueType:
        fields = namespace.get("__annotations__", {})
        defaults = {field: namespace.pop(field) for field in fields if field in namespace}
        namespace.setdefault("__slots__", tuple(fields))
        if fields:
            namespace["__init__"] = _constructor(fields, defaults, "__post_init__" in namespace)
        return super().__new__(cls, name, bases, namespace)


class Value(metaclass=ValueType):
    """The base of all values."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields = [(name, getattr(self, name)) for name in field_names(type(self))]
        # Values inside are only named: some hold each other.
        shown = [f"{name}={type(held).__name__ if isinstance(held, Value) else repr(held)}" for name, held in fields]
        return f"{type(self).__name__}({', '.join(shown)})"


def _constructor(fields: dict[str, Any], defaults: dict[str, Any], has_post_init: bool) -> FunctionType:
    """The `__init__` that takes the fields in order and sets them."""
    factories = {name: default.factory for name, default in defaults.items() if isinstance(default, _Missing)}
    taken = [name for name in fields if factories.get(name, True)]  # the others are left to `__post_init__`
    if any(factories.values()):
        return _making_constructor(taken, defaults, has_post_init)
    names = (*taken, "__post_init__") if has_post_init else tuple(taken)
    code = _code(len(taken), has_post_init).replace(co_names=names, co_varnames=("self", *taken))
    return FunctionType(code, {}, "__init__", tuple([defaults[name] for name in taken if name in defaults]))


@cache
def _code(count: int, has_post_init: bool) -> CodeType:
    """The code of a constructor that sets that many fields.

    It is compiled once for all classes that differ only in the names of their fields: that takes ten times as long as
    putting in the names.
    """
    fields = [f"field{index}" for index in range(count)]
    return _defined(fields, [f"self.{field} = {field}" for field in fields], has_post_init, {}).__code__


def _making_constructor(taken: list[str], defaults: dict[str, Any], has_post_init: bool) -> FunctionType:
    """The `__init__` of a class with fields that it makes when they are not given."""
    parameters, body = [], []
    for name in taken:
        parameters.append(f"{name}=_defaults['{name}']" if name in defaults else name)
        is_made = isinstance(defaults.get(name), _Missing)
        given = f"_defaults['{name}'].factory() if {name} is _defaults['{name}'] else {name}" if is_made else name
        body.append(f"self.{name} = {given}")
    return _defined(parameters, body, has_post_init, {"_defaults": defaults})


def _defined(parameters: list[str], body: list[str], has_post_init: bool, scope: dict[str, Any]) -> FunctionType:
    """An `__init__` with these parameters and statements."""
    body = [*body, "self.__post_init__()" if has_post_init else "pass"]
    exec(f"def __init__({', '.join(['self', *parameters])}):\n " + "\n ".join(body), scope)
    constructor: FunctionType = scope["__init__"]
    return constructor


def field_names(cls: type) -> tuple[str, ...]:
    """The fields of a value class, in order."""
    names: tuple[str, ...] = cls.__dict__["__slots__"]
    return names


def replace(value: T, **changes: Any) -> T:
    """A copy of a value, of a class without derived fields, with other contents of some fields."""
    fields = {name: getattr(value, name) for name in field_names(type(value))}
    return type(value)(**{**fields, **changes})


def changed_fields(value: T, default: T) -> dict[str, Any]:
    """The fields in which a value differs from another one of its class, as it has them."""
    found = {name: getattr(value, name) for name in field_names(type(value))}
    return {name: held for name, held in found.items() if held != getattr(default, name)}
