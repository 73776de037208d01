"""The shape of a release: every fact about a PyTorch release that some stage asks for."""

from __future__ import annotations

from pathlib import Path

from opwright.releases.devices import Device, FromMeta
from opwright.values import Value, derived


class DispatchKey(Value):
    """One dispatch key and what is true of it in a release.

    `is_supported`: kernels may be listed under it. `is_structured`: structured kernels under it are classes.
    `is_composite`: one kernel serves several backends. `flag` is the command-line switch without which the key is
    ignored in YAML, or empty. `has_functions`: its kernels have C++ functions of their own, in the namespace `lower`.
    `from_meta`: how structured operators get kernels under it by their meta functions, None where they do not.
    """

    name: str
    is_supported: bool
    is_structured: bool
    is_composite: bool
    flag: str
    has_functions: bool
    device: Device
    from_meta: FromMeta | None
    lower: str = derived()

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.name.lower())

    def __str__(self) -> str:
        return self.name


class Spelling(Value):
    """How a release spells what is otherwise the same C++."""

    optional: str
    make_optional: str
    nullopt: str
    contiguous_format: str
    opt_type_meta: str
    #: How a symbolic integer is made a plain one.
    guard_int: str
    #: The template argument test of `at::symint` functions, with a `{}` for the integer type.
    is_same: str
    #: The variable that holds the device that all tensors must be on.
    common_device: str
    #: What a block that registers kernels ends in.
    library_end: str
    #: Whether warnings about helpers of registrations that are not used are silenced by macros.
    silenced_helpers: bool
    #: Whether the constants of an operator struct are `static constexpr` members; macros before.
    constexpr_members: bool
    #: Whether equal tag lists of RegisterSchema share one constant.
    pooled_tags: bool
    #: Whether RegistrationDeclarations spells types with `at::`.
    qualified_declarations: bool


class LazyFacts(Value):
    """What is true of the lazy tensors of a release."""

    #: The system headers that files of nodes include.
    node_headers: tuple[str, ...]
    #: How the text of a node is returned from the stream that it is written to.
    node_text: str
    #: How the meta copy of a tensor gets its type, layout, device and memory.
    meta_options: str
    #: Whether nodes have random generators among their constants; kernels fall back when one is given before.
    holds_generators: bool
    #: Whether lowering looks whether an optional keyword value is there.
    tests_keyword_values: bool


class OperatorLists(Value):
    """Operators of the library that are exempt from a rule, by name."""

    #: Out operators that stand alone: no functional variant is made.
    lone_out: frozenset[str]
    #: Mutable operators that have no out variant.
    mutable_without_out: frozenset[str]
    #: Functional operators that return nothing tensor-like and have no out variant.
    functional_without_out: frozenset[str]
    #: In-place operators whose family is left as it is.
    ungrouped_inplace: frozenset[str]
    #: Operators that write but are left out of functionalization.
    not_functionalized: frozenset[str]
    #: Operators for which functionalization has kernels that are written by hand.
    functionalized_by_hand: frozenset[str]
    #: Out operators whose functional variant is told the type of the out argument when none is given.
    dtype_of_out: frozenset[str]
    #: Operators that vmap is generated for although they return more than tensors.
    batched_despite_returns: frozenset[str]
    #: Operators tagged `inplace_view` that are no views.
    resizing: frozenset[str]
    #: Operators, and bases, that may carry `inplace_view` without being an in-place variant of anything.
    inplace_view_exempt: frozenset[str]
    inplace_view_exempt_bases: frozenset[str]
    #: Bases that are views by their tag and still get generated variants.
    generated_despite_view: frozenset[str]
    #: (operator, argument) pairs that are allowed although the argument is a Python keyword.
    keyword_arguments: frozenset[tuple[str, str]]
    #: Names that the release's own file declares in `autogen` although nothing is generated for them.
    unused_autogen: frozenset[str]


class Release(Value):
    """One minor release of PyTorch, for instance `2.13`."""

    name: str
    base_types: tuple[str, ...]
    keys: dict[str, DispatchKey]
    #: The keys that files are made for, by name and in order.
    supported: tuple[str, ...]
    #: Names that stand for another key.
    key_aliases: dict[str, str]
    scalar_types: tuple[str, ...]
    spelling: Spelling
    lazy: LazyFacts
    lists: OperatorLists
    #: Tags that an operator gets by itself when tags.yaml defines them.
    implied_tags: frozenset[str]
    #: Tags that a generated operator takes over from its base.
    inherited_tags: frozenset[str]
    #: Whether a generated out variant is tagged `out`.
    tags_generated_out: bool
    #: Whether the mutable member of a family, rather than the in-place one, is the base of generated variants.
    mutable_is_base: bool
    #: Whether the tag `core` gives a composite family its generated variants.
    core_is_generated: bool
    #: Whether `foo_scatter` and `foo_inverse` form a view pair.
    has_scatter_views: bool
    #: Whether a return of SymInt alone makes an operator symint, and follows the signature's own flag.
    symint_returns: bool
    #: Whether `Tensor?` can be returned.
    returns_optional_tensor: bool
    #: Whether argument names that contain `dropout` make an operator a random one.
    dropout_arguments: bool
    #: Whether results are copied back into lists and into outputs that are not returned (backends outside PyTorch).
    copies_lists_back: bool
    #: Whether a function that registers kernels later is declared before it is defined (lazy tensors).
    declares_deferred: bool
    refuses_python_keywords: bool
    refuses_const_ref_out: bool
    #: C++ spellings of base types that are not in every release.
    cpp_types: dict[str, str]
    #: Whether the header of tags is for a folder of its own, and so in no list of files.
    header_only_tags: bool
    #: Whether lists of files have the older form, with paths exactly as the install folder is given.
    joined_lists: bool
    #: Whether the files around kernels (registrations, functionalization and so on) are described; of older releases,
    #: only the public files are.
    has_kernel_files: bool
    #: The list of the operators that the shims of AOT-inductor offer; None for a release without shims.
    shim_list: Path | None
    #: Files in which torchgen lists things in an order that changes with the seed of Python's hashes.
    unordered_files: frozenset[str]
