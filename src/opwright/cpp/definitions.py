"""Functions of classes that a C++ text defines, and functions outside classes that it declares.

In: a C++ text and names of classes or functions. Out: each definition of one of the classes' functions, or declaration
of one of the functions, with the types of its parameters in a form in which equal types are spelled alike. Comments and
strings do not count, nor do calls.

    "Tensor K::neg(const at::Tensor& self) { return self; }"
        ->  Definition("K", "neg", (("const", "Tensor", "&"),), line=1)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from opwright.cpp.tokens import tokenize_with_lines
from opwright.values import Value

#: A type as tokens, in its normal form.
Type = tuple[str, ...]

#: Macros of PyTorch's that stand for the head of a function of a structured kernel, with the name of the function.
STRUCTURED_MACROS = {"TORCH_IMPL_FUNC": "impl", "TORCH_META_FUNC": "meta"}
STRUCTURED_PREFIX = "structured_"

_OPENING, _CLOSING = frozenset("([{<"), frozenset(")]}>")
_NAMESPACES = frozenset({"at", "c10", "std", "torch"})
#: Names that stand for others.
_SAME = {
    ("ArrayRef", "<", "int64_t", ">"): ("IntArrayRef",),
    ("ArrayRef", "<", "SymInt", ">"): ("SymIntArrayRef",),
    ("ArrayRef", "<", "Tensor", ">"): ("TensorList",),
    ("OptionalArrayRef", "<", "int64_t", ">"): ("OptionalIntArrayRef",),
    ("OptionalArrayRef", "<", "SymInt", ">"): ("OptionalSymIntArrayRef",),
}
#: The words of types that generated declarations use; what another word stands for is not known.
KNOWN_WORDS = frozenset(
    "const & < > , bool double int64_t int float optional array ArrayRef List Tensor TensorList ITensorListRef Scalar "
    "SymInt SymBool SymIntArrayRef IntArrayRef OptionalIntArrayRef OptionalSymIntArrayRef OptionalTensorRef "
    "OptionalScalarRef IOptTensorListRef string_view Generator ScalarType Layout Device DeviceIndex MemoryFormat "
    "QScheme Storage Stream DimVector Dimname DimnameList vector tuple".split()
)


class Definition(Value):
    """One definition of a function: its class, its name, the parameters as tokens, and the line where it starts.

    Functions outside classes have an empty `scope`.
    """

    scope: str
    name: str
    parameters: tuple[Type, ...]
    line: int

    def takes(self, types: Sequence[Type]) -> bool:
        """Whether it may be the function with parameters of these types."""
        return len(types) == len(self.parameters) and all(map(may_be, self.parameters, types))


def definitions(text: str, classes: Collection[str]) -> Iterator[Definition]:
    """The definitions of functions of `classes` in a text, from top to bottom."""
    tokens = tokenize_with_lines(text)
    texts = [token.text for token in tokens]
    for at in range(len(texts)):
        head = _member(texts, at) if texts[at] in classes else _macro(texts, at)
        if head is None or head[0] not in classes:
            continue
        scope, name, opening = head
        closing = _closing(texts, opening)
        if _is_body(texts, closing):
            yield Definition(scope, name, tuple(_parameters(texts[opening + 1 : closing])), tokens[at].line)


def declarations(text: str, names: Collection[str]) -> Iterator[Definition]:
    """The declarations and definitions of the functions called `names` in a text, from top to bottom."""
    tokens = tokenize_with_lines(text)
    texts = [token.text for token in tokens]
    for at in range(1, len(texts)):
        if texts[at] in names and texts[at + 1 : at + 2] == ["("] and _ends_type(texts[at - 1]):
            closing = _closing(texts, at + 1)
            if _is_body(texts, closing) or texts[closing + 1 : closing + 2] == [";"]:
                yield Definition("", texts[at], tuple(_parameters(texts[at + 2 : closing])), tokens[at].line)


def _ends_type(text: str) -> bool:
    """Whether a type can end so; what stands before a call does not."""
    return text in (">", "&", "*") or (text.isidentifier() and text != "return")


def _member(texts: Sequence[str], at: int) -> tuple[str, str, int] | None:
    """Class, function and the place of the parenthesis of `CLASS::name(`."""
    if texts[at + 1 : at + 3] == [":", ":"] and texts[at + 4 : at + 5] == ["("]:
        return texts[at], texts[at + 3], at + 4
    return None


def _macro(texts: Sequence[str], at: int) -> tuple[str, str, int] | None:
    """The same of `TORCH_IMPL_FUNC(name)(`, which stands for `structured_name::impl(`."""
    function = STRUCTURED_MACROS.get(texts[at])
    if function and texts[at + 1 : at + 2] == ["("] and texts[at + 3 : at + 5] == [")", "("]:
        return STRUCTURED_PREFIX + texts[at + 2], function, at + 4
    return None


def _closing(texts: Sequence[str], opening: int) -> int:
    """The place of the parenthesis that closes the one at `opening`, or the end of the text."""
    depth = 0
    for at in range(opening, len(texts)):
        depth += (texts[at] == "(") - (texts[at] == ")")
        if not depth:
            return at
    return len(texts)


def _is_body(texts: Sequence[str], closing: int) -> bool:
    """Whether a body follows the parameters; behind a call there is none."""
    at = closing + 1
    while texts[at : at + 1] in (["const"], ["noexcept"], ["try"]):
        at += 1
    return texts[at : at + 1] == ["{"]


def _parameters(texts: Sequence[str]) -> Iterator[Type]:
    """The types of parameters, with the names that may stand behind them."""
    depth, part = 0, list[str]()
    for text in texts:
        if text == "," and not depth:
            yield normal(part)
            part = []
            continue
        depth += (text in _OPENING) - (text in _CLOSING)
        part.append(text)
    if part:
        yield normal(part)


def normal(tokens: Sequence[str]) -> Type:
    """A type, or a whole parameter, in the normal form: no namespaces of PyTorch, no default, `const` in front."""
    words = list(tokens)
    if "=" in words:
        words = words[: words.index("=")]
    found: list[str] = []
    for at, word in enumerate(words):
        if word == ":" or (word in _NAMESPACES and words[at + 1 : at + 3] == [":", ":"]):
            continue
        if word in ("[", "]") or (word == "maybe_unused"):
            continue
        found.append(word)
    for spelled, same in _SAME.items():
        found = _replaced(found, spelled, same)
    if "const" in found and "<" not in found[: found.index("const")]:
        found.remove("const")
        found.insert(0, "const")
    return tuple(found)


def _replaced(words: list[str], old: Type, new: Type) -> list[str]:
    size = len(old)
    for at in range(len(words) - size, -1, -1):
        if tuple(words[at : at + size]) == old:
            words = [*words[:at], *new, *words[at + size :]]
    return words


def may_be(parameter: Type, type: Type) -> bool:
    """Whether a parameter, with its name or without, can be of a type; a word that is not known can be any."""
    for found in (parameter, parameter[:-1]):
        if found == type:
            return True
    words = parameter[:-1] if parameter and parameter[-1] not in KNOWN_WORDS | {">", "&"} else parameter
    return any(word not in KNOWN_WORDS and not word.isdigit() for word in words)
