"""The shape of a release: every fact about a PyTorch release that some stage asks for."""

from __future__ import annotations

from pathlib import Path

from opwright.releases.keys import DispatchKey, KeyFacts, key_table
from opwright.releases.marks import Mark
from opwright.values import Value

DATA = Path(__file__).parent / "data"


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
    #: What ends a macro that declares or registers a dispatch stub.
    stub_end: str
    #: Whether equal tag lists of RegisterSchema share one constant.
    pooled_tags: bool
    #: Whether RegistrationDeclarations spells types with `at::`.
    qualified_declarations: bool


class KernelFacts(Value):
    """How the wrappers of kernels are written in a release."""

    #: Whether each group of operators has a block of its own, and the blocks are spread over several files; before,
    #: one block holds the wrappers of a key.
    block_per_group: bool
    #: Whether structured kernels own the outputs that they make, and must be asked for them.
    owned_outputs: bool
    #: Whether outputs of structured kernels can have named dimensions.
    named_outputs: bool
    #: Whether composite kernels of generated operators include the kernels of others, with a header per operator.
    includes_kernels: bool
    #: Whether declarations that differ in their export macro alone are merged.
    merged_exports: bool
    #: Whether batched tensors are taken apart by structured bindings.
    structured_bindings: bool


class FunctionalizationFacts(Value):
    """How functionalization works in a release."""

    #: Whether views are recorded as objects of classes; before, as pairs of lambdas.
    view_classes: bool
    #: What the metadata of a view is told behind its lambdas.
    view_facts: tuple[str, ...]
    #: Whether it is computed which views have symbolic arguments.
    tells_symbolic_inputs: bool
    #: Whether inverses are called after the view and told what to return; before, they are called after its copy and
    #: told whether views are applied again.
    inverse_modes: bool
    #: Which composite kernels are registered: those of `all` operators, of `views`, or of none.
    composites: str
    #: How XLA is told of updates: not at all, by one call for each update, or from the inner tensors (`direct`).
    xla_updates: str
    #: Whether computing shapes by meta kernels can be switched off.
    meta_switch: bool
    #: What stands behind the statement that returns what was computed without functionalization.
    plain_call_end: str
    #: Whether the classes of views own the tensors among their fields.
    owning_views: bool
    #: Whether one output of a view of several is replayed without the others.
    replays_single_outputs: bool


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


class ShimFacts(Value):
    """How the shims of AOT-inductor are made in a release, if any device has them."""

    #: The list of the operators that they offer; without one, they offer every operator that is not pointwise.
    listed: Path | None
    #: The headers that a source includes, with `{}` for its own.
    headers: tuple[str, ...]
    #: The keys whose kernels serve a device that has none of its own, in the order in which they are tried.
    fallbacks: tuple[str, ...]
    #: Parts of the names of operators that may be given null pointers for results.
    optional_returns: tuple[str, ...]
    #: Base types that have no form in C, although they have one in later releases.
    formless: frozenset[str]
    #: The type of strings in C++.
    string: str
    #: Whether an operator that delegates to a structured one is served by the kernel of that.
    calls_delegates: bool
    #: Whether in-place operators give their results.
    inplace_results: bool
    #: Whether tensors that are only read are resolved: flags that say that they are conjugated, or negated, are heeded.
    resolves_tensors: bool
    #: Whether statements that give tensors away end in two semicolons.
    doubled_semicolons: bool
    #: Whether functions pass the defaults of arguments that they do not have; otherwise, null options.
    passes_defaults: bool
    #: Whether a declaration waits for the release that has the function.
    guards_declarations: bool
    #: Whether a choice of dispatch keys leaves out the shims of other devices.
    heeds_whitelist: bool
    #: Whether there are shims that call operators through the dispatcher, for all devices.
    has_aten: bool
    #: Whether headers are compared, in a folder of choice, and written on request only.
    compares_headers: bool
    #: Whether there are shims for libraries outside PyTorch.
    has_extensions: bool


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
    #: Kernels of other devices that are compiled for the library of the CPU.
    kernels_for_cpu: frozenset[str]
    #: Parts of names that say that an operator is no random one although another part does.
    deterministic_parts: tuple[str, ...]
    #: (operator, argument) pairs that are allowed although the argument is a Python keyword.
    keyword_arguments: frozenset[tuple[str, str]]
    #: Names that the release's own file declares in `autogen` although nothing is generated for them.
    unused_autogen: frozenset[str]


class Release(Value):
    """One minor release of PyTorch, for instance `2.13`."""

    name: str
    #: What tells its inputs from those of the releases before it.
    marks: tuple[Mark, ...]
    base_types: tuple[str, ...]
    key_facts: KeyFacts
    #: Names that stand for another key.
    key_aliases: dict[str, str]
    scalar_types: tuple[str, ...]
    spelling: Spelling
    kernels: KernelFacts
    functionalization: FunctionalizationFacts
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
    #: Base types that schemas know and C++ does not.
    schema_only: frozenset[str]
    #: C++ spellings of base types that are not in every release.
    cpp_types: dict[str, str]
    #: Whether the header of tags is for a folder of its own, and so in no list of files.
    header_only_tags: bool
    #: Whether lists of files have the older form, with paths exactly as the install folder is given.
    joined_lists: bool
    shims: ShimFacts
    #: Whether structured kernels can have stubs for kernels that are compiled ahead of time from Python declarations.
    native_aot: bool
    #: Files in which torchgen lists things in an order that changes with the seed of Python's hashes.
    unordered_files: frozenset[str]

    @property
    def keys(self) -> dict[str, DispatchKey]:
        """The dispatch keys by name."""
        return key_table(self.key_facts)

    @property
    def has_shims(self) -> bool:
        """Whether any device has shims."""
        return any(key.device.has_shim for key in self.keys.values())

    @property
    def supported(self) -> tuple[str, ...]:
        """The keys that files are made for, by name and in order."""
        return self.key_facts.supported
