"""Rules that torchgen checks only while it writes C++, judged here from the model.

In: the whole model. Out: diagnostics in the context.

Rules: spec 03 section 11 (LT-7 to LT-9, LT-12 to LT-15, LT-17, LT-19) and the faults of inner loops at which torchgen
fails beside them. LT-16 cannot occur: the functional variant of an out operator alone would have that operator's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opwright.diagnostics import Related
from opwright.model.context import Context
from opwright.model.dispatch import DEFAULT_NAMESPACE, kernel_place
from opwright.model.expand import can_have_out, functional_name, out_name
from opwright.model.model import Group, Model
from opwright.model.operators import Operator
from opwright.model.rules.structured import options_place, structured_group, tensor_options
from opwright.releases.keys import COMPOSITE_EXPLICIT_NON_FUNCTIONAL
from opwright.releases.release import Release
from opwright.source import Place
from opwright.syntax.schema import Argument, Kind, Return
from opwright.syntax.types import Form, Type
from opwright.syntax.yamltree import Mapping

LateRule = Callable[[Model, Context], None]

#: Levels of namespace that a kernel may have besides the `native` that is added.
MAX_CUSTOM_NAMESPACES = 2
FUNCTORS_OF_BINARY = ("CUDAFunctorOnSelf", "CUDAFunctorOnOther")


def check_late(model: Model, context: Context) -> None:
    """Hold the whole model to the rules that concern the C++ to be written."""
    for rule in LATE_RULES:
        rule(model, context)


# Types


def type_without_cpp(model: Model, context: Context) -> None:
    """LT-9: an argument or a return of a type that no C++ type stands for."""
    parts = context.parser.parts()
    problems = {part: problem for part in parts if (problem := part_problem(part, model.release))}
    for operator in model.operators if problems else ():
        schema = operator.schema
        for argument in schema.arguments:
            if argument in problems:
                place = operator.schema_place(*schema.argument_type_span(argument))
                context.family_error(operator, "argument-without-cpp", problems[argument], place)
        for index, item in enumerate(schema.returns):
            if item in problems:
                place = operator.schema_place(*schema.return_span(index))
                context.family_error(operator, "return-without-cpp", problems[item], place)


def part_problem(part: Argument | Return, release: Release) -> str | None:
    """Why an argument or a return cannot be written in C++, or None."""
    if part.type.text in _ORDINARY and not part.is_write:
        return None
    return argument_problem(part.type, release) if isinstance(part, Argument) else return_problem(part, release)


#: Types that nothing is wrong with; most arguments and returns are of these.
_ORDINARY = frozenset({"Tensor", "int", "bool", "float", "Scalar", "SymInt", "Tensor[]", "int[]", "SymInt[]"})


def argument_problem(type: Type, release: Release) -> str | None:
    """Why an argument of this type cannot be written in C++, or None."""
    inner: Type | None = type
    while inner is not None:
        if inner.text == "bool[]":
            return "'bool[]' needs a size, as in 'bool[2]': it becomes an array of a fixed size in C++"
        if inner.form is Form.CLASS or inner.text in release.schema_only or _holds_reference(inner):
            return f"there is no C++ type for '{inner.text}', so no code can be generated for this operator"
        inner = inner.element
    return None


def _holds_reference(type: Type) -> bool:
    """Whether a type would hold something that C++ passes by reference only; torchgen writes what does not compile."""
    held = type.element
    if held is None or held.element is None:
        return False
    return held.text == "Scalar?" or (held.form is Form.LIST and held.element.text == "Tensor?")


def return_problem(item: Return, release: Release) -> str | None:
    """Why a return cannot be written in C++, or None."""
    if item.is_write and item.type.text != "Tensor":
        return f"only a 'Tensor' can be written and returned, not '{item.type.text}'"
    type = item.type
    while type.form is Form.LIST and type.element is not None:
        if type.size is not None and type.element.text != "bool":
            return f"a list with a size, '{type.text}', cannot be returned; write '{type.element.text}[]'"
        if type.element.text == "bool":
            break
        type = type.element
    reason = argument_problem(type, release)
    if reason or type.form is not Form.OPTIONAL:
        return reason
    if type.text == "Tensor?":
        return None if release.returns_optional_tensor else f"PyTorch {release.name} cannot return 'Tensor?'"
    return None if _is_value(type) else f"'{type.text}' cannot be returned"


def _is_value(type: Type) -> bool:
    """Whether arguments and returns of the type are passed by value, and so have one C++ type."""
    while type.form is Form.OPTIONAL and type.element is not None:
        type = type.element
    if type.form is Form.LIST:
        return type.element is not None and type.element.text == "bool" and type.size is not None
    return type.form is Form.BASE and type.base not in ("Tensor", "Scalar")


def written_optional(model: Model, context: Context) -> None:
    """A `Tensor?` that is written: the public C++ type is `Tensor &`, which no kernel for it can be called with."""
    written = {part for part in context.parser.parts() if part.type.text == "Tensor?" and part.is_write}
    for operator in model.operators if written else ():
        if operator.const_ref_mutable or operator.manual_kernel_registration:
            continue
        for argument in operator.schema.arguments:
            if argument in written:
                made = "the generated " if operator.is_generated else ""
                message = f"{made}'{operator.name.text}' would write to '{argument.name}', which is optional"
                help = "only Tensor and Tensor[] can be written"
                place = operator.argument_place(argument)
                context.family_error(operator, "written-optional", message, place, help)


# Inner loops of ufuncs


def ufunc_loops(model: Model, context: Context) -> None:
    """LT-7, LT-8 and the faults beside them: inner loops of which no kernel can be made."""
    for operator in model.operators:
        if operator.ufunc_loops and not context.is_suspect(operator):
            for rule in UFUNC_RULES:
                if rule(operator, context):
                    break


def ufunc_argument(operator: Operator, context: Context) -> bool:
    """An argument that inner loops cannot be given."""
    for argument in operator.schema.non_out:
        if argument.type.text not in ("Tensor", "Scalar"):
            place = operator.schema_place(*operator.schema.argument_type_span(argument))
            message = f"an inner loop takes arguments of type Tensor and Scalar, not '{argument.type.text}'"
            context.error("ufunc-argument", message, place)
            return True
    return False


def ufunc_binary_names(operator: Operator, context: Context) -> bool:
    """Two tensors that are not called `self` and `other`, by which the CUDA functors know them."""
    tensors = _tensors(operator)
    names = [argument.name for argument in tensors]
    if len(names) != 2 or names == ["self", "other"]:
        return False
    wrong = tensors[0] if names[0] != "self" else tensors[1]
    place = operator.schema_place(*operator.schema.argument_name_span(wrong))
    message = "the two tensors of an operator with inner loops must be called 'self' and 'other', in this order"
    context.error("ufunc-binary-names", message, place)
    return True


def ufunc_not_binary(operator: Operator, context: Context) -> bool:
    """LT-7: a functor for one scalar operand on an operator that has not two tensors."""
    tensors = _tensors(operator)
    if len(tensors) == 2:
        return False
    for key in FUNCTORS_OF_BINARY:
        if key in operator.ufunc_loops:
            message = f"'{key}' belongs to operators on two tensors; '{operator.name.text}' takes {len(tensors)}"
            context.error("ufunc-not-binary", message, _loop_place(operator, key), "remove this loop")
            return True
    return False


def ufunc_loop_names(operator: Operator, context: Context) -> bool:
    """LT-8: two names for what becomes one CUDA functor."""
    loops = operator.ufunc_loops
    if not ("ScalarOnly" in loops and "Generic" in loops and any(key not in loops for key in _functors(operator))):
        return False
    if loops["ScalarOnly"].name == loops["Generic"].name:
        return False
    message = f"'ScalarOnly' and 'Generic' must name one loop, not '{loops['ScalarOnly'].name}' and another"
    related = [Related(_loop_place(operator, "Generic"), "the generic loop")]
    place = _loop_place(operator, "ScalarOnly")
    context.faults.error("ufunc-loop-names", message, place, f"write '{loops['Generic'].name}'", related)
    return True


def ufunc_no_generic_loop(operator: Operator, context: Context) -> bool:
    """LT-8: a CUDA functor that no loop is there for."""
    loops = operator.ufunc_loops
    missing = [key for key in _functors(operator) if key not in loops]
    if not missing or "Generic" in loops or "ScalarOnly" in loops:
        return False
    message = f"there is no loop for '{missing[0]}'"
    help = f"add 'Generic' or 'ScalarOnly', which serve every device, or '{missing[0]}'"
    context.error("ufunc-no-generic-loop", message, operator.record.key_place("ufunc_inner_loop"), help)
    return True


def ufunc_no_scalar_loop(operator: Operator, context: Context) -> bool:
    """LT-8: a scalar type that the CPU has a loop over vectors for, but none over scalars."""
    loops = operator.ufunc_loops
    if "CPUVector" not in loops:
        return False
    scalar = {
        name for key in ("CPUScalar", "ScalarOnly", "Generic") if key in loops for name in loops[key].scalar_types
    }
    missing = [name for name in loops["CPUVector"].scalar_types if name not in scalar]
    if not missing:
        return False
    message = f"'CPUVector' serves {missing[0]}, but no loop over scalars does"
    help = f"add {', '.join(missing)} to 'CPUScalar', 'ScalarOnly' or 'Generic'"
    context.error("ufunc-no-scalar-loop", message, _loop_place(operator, "CPUVector"), help)
    return True


def ufunc_no_functor(operator: Operator, context: Context) -> bool:
    """A scalar type that CUDA has a functor on one operand for, but none on both."""
    loops = operator.ufunc_loops
    if len(_functors(operator)) == 1:
        return False
    both = _functor_types(operator, "CUDAFunctor")
    for key in FUNCTORS_OF_BINARY:
        missing = [name for name in _functor_types(operator, key) if name not in both]
        if missing:
            at = key if key in loops else "CUDAFunctor"
            message = f"'{key}' serves {missing[0]}, but 'CUDAFunctor' does not"
            help = f"add {', '.join(missing)} to 'CUDAFunctor'"
            context.error("ufunc-no-functor", message, _loop_place(operator, at), help)
            return True
    return False


def _tensors(operator: Operator) -> list[Argument]:
    return [argument for argument in operator.schema.non_out if argument.type.is_tensor_like]


def _functors(operator: Operator) -> tuple[str, ...]:
    """The CUDA functors that an operator has."""
    return (*FUNCTORS_OF_BINARY, "CUDAFunctor") if len(_tensors(operator)) == 2 else ("CUDAFunctor",)


def _functor_types(operator: Operator, key: str) -> list[str]:
    """The scalar types of a CUDA functor, which is given or made of the loops for every device."""
    loops = operator.ufunc_loops
    sources = [key] if key in loops else [name for name in ("ScalarOnly", "Generic") if name in loops]
    return [name for source in sources for name in loops[source].scalar_types]


def _loop_place(operator: Operator, key: str) -> Place:
    """The place of an inner loop's kind; that of the field when there is only one loop."""
    node = operator.record.value("ufunc_inner_loop")
    for found, _ in node.fields.values() if isinstance(node, Mapping) else ():
        if found.value == key:
            return found.place
    return operator.record.key_place("ufunc_inner_loop")


UFUNC_RULES: tuple[Callable[[Operator, Context], bool], ...] = (
    ufunc_argument,
    ufunc_not_binary,
    ufunc_binary_names,
    ufunc_loop_names,
    ufunc_no_generic_loop,
    ufunc_no_scalar_loop,
    ufunc_no_functor,
)


# Functionalization


def not_functionalizable(model: Model, context: Context) -> None:
    """LT-12: an operator that writes but has no functional variant to be replaced by."""
    exempt = model.release.lists.not_functionalized
    views: set[Operator] = set()
    for operator in model.groups:
        if isinstance(operator, Group) or not operator.schema.is_annotated or operator.is_composite_implicit:
            continue
        name = operator.name
        if not any(argument.is_write for argument in operator.schema.arguments):
            continue
        views = views or {view for item in model.view_groups for view in item.members()}
        if operator in views or name.text in exempt or name.base in exempt:
            continue
        message = f"'{name.text}' writes to an argument, but has no functional variant that could stand in for it"
        help = _functional_advice(operator, model)
        context.family_error(operator, "not-functionalizable", message, operator.name_place, help)


def _functional_advice(operator: Operator, model: Model) -> str:
    """How to get the functional and the out variant of an operator, or do without."""
    without = "give it a CompositeImplicitAutograd kernel only"
    schema = operator.schema
    if operator.is_view or operator.manual_cpp_binding or schema.out or not can_have_out(operator):
        return without
    present = {other.name.text for other in model.operators}
    wanted = [name.text for name in (functional_name(schema), out_name(operator.name))]
    return f"write 'autogen: {', '.join(name for name in wanted if name not in present)}', or {without}"


def options_without_out(model: Model, context: Context) -> None:
    """A variant that does without tensor options, and has nothing that the functional one could get them from."""
    for item in model.groups:
        if isinstance(item, Operator) or not item.functional.schema.has_options or item.is_structured:
            continue
        are_optional = all([part.type.form is Form.OPTIONAL for part in tensor_options(item.functional.schema)])
        for variant in item.members()[1:]:
            made = "the generated " if variant.is_generated else ""
            name = f"{made}'{variant.name.text}'"
            if not any(argument.name == "out" and argument.type.text == "Tensor" for argument in variant.schema.out):
                message = f"{name} has no out argument 'out', a Tensor, to take dtype, layout and device from"
                context.family_error(item.functional, "options-without-out", message, options_place(item))
            elif not are_optional:
                message = f"{name} does without dtype, layout, device and pin_memory, so they must be optional"
                context.family_error(item.functional, "options-without-out", message, options_place(item))


def view_in_group(model: Model, context: Context) -> None:
    """LT-13: a view among the variants of an operator."""
    exempt = model.release.lists.generated_despite_view
    for item in model.groups:
        if isinstance(item, Operator) or not (item.functional.is_view or (item.inplace and item.inplace.is_view)):
            continue
        for operator in item.members():
            if not operator.is_view or operator.name.base in exempt:
                continue
            if operator.is_composite_implicit and operator.schema.kind is not Kind.FUNCTIONAL:
                continue
            message = f"'{operator.name.text}' is a view, and a view can have no out variant"
            related = [Related(item.out.name_place, "the out variant")]
            help = "remove the out variant, or the annotations and the tag that make this one a view"
            context.family_error(operator, "view-in-group", message, operator.name_place, help, related)


def _functionalized_views(model: Model, context: Context) -> Iterator[Operator]:
    """The views, and in-place forms of views, that get a functionalization kernel."""
    for item in model.view_groups:
        if not item.is_composite:
            if item.view_copy is not None and context.is_suspect(item.view_copy):
                continue
            yield item.view
            if item.view_inplace is not None:
                yield item.view_inplace


def view_arguments(model: Model, context: Context) -> None:
    """LT-14: a view of something other than its first argument."""
    for operator in _functionalized_views(model, context):
        schema = operator.schema
        first = schema.non_out[0] if schema.non_out else None
        if first is None:
            continue
        start, stop = schema.argument_span(first)
        if first.type.text != "Tensor" or first.annotation is None:
            message = f"the first argument of a view must be the tensor that it is a view of, not '{first.text}'"
            place = operator.schema_place(start, stop)
            context.family_error(operator, "view-first-argument", message, place, "write 'Tensor(a) self' first")
            continue
        for argument in schema.arguments:
            if argument is not first and argument.annotation is not None:
                message = f"only the first argument of a view can be annotated, not '{argument.name}' too"
                related = [Related(operator.schema_place(start, stop), "the tensor that this is a view of")]
                place = operator.argument_place(argument)
                context.family_error(operator, "view-second-alias", message, place, None, related)


def view_returns(model: Model, context: Context) -> None:
    """LT-14: a view that returns something other than tensors."""
    for operator in _functionalized_views(model, context):
        schema = operator.schema
        wrong = [index for index, item in enumerate(schema.returns) if not item.type.is_tensor_like]
        if wrong or not schema.returns:
            place = operator.schema_place(*schema.return_span(wrong[0])) if wrong else operator.name_place
            message = f"the view '{operator.name.text}' must return tensors and nothing else"
            context.family_error(operator, "view-returns", message, place)


def _generated_copies(model: Model) -> Iterator[tuple[Operator, Operator]]:
    """The views with the copies whose kernels are generated."""
    for item in model.view_groups:
        if item.view_copy is not None and item.has_generated_copy:
            yield item.view, item.view_copy


def view_copy_key(model: Model, context: Context) -> None:
    """LT-15: a copy of a view whose generated kernel has no dispatch key to stand under."""
    for view, copy in _generated_copies(model):
        if not copy.has_kernel(COMPOSITE_EXPLICIT_NON_FUNCTIONAL):
            message = f"the generated kernel of '{copy.name.text}' stands under {COMPOSITE_EXPLICIT_NON_FUNCTIONAL}"
            kernel = copy.default_kernel + ("_symint" if copy.schema.has_symint else "")
            help = f"write 'dispatch: {{{COMPOSITE_EXPLICIT_NON_FUNCTIONAL}: {kernel}}}'"
            related = [Related(view.name_place, "the view")]
            context.family_error(copy, "view-copy-key", message, copy.name_place, help, related)


def view_copy_symint(model: Model, context: Context) -> None:
    """LT-15: the copy of `view` with a kernel that takes no symbolic sizes."""
    for _, copy in _generated_copies(model):
        for key, kernel in copy.kernels.items() if copy.name.text == "view_copy" else ():
            if key.name == COMPOSITE_EXPLICIT_NON_FUNCTIONAL and kernel.name != "view_copy_symint":
                message = f"the kernel of 'view_copy' must be called 'view_copy_symint', not '{kernel.name}'"
                context.family_error(copy, "view-copy-symint", message, kernel_place(copy.record, key.name))


def view_copy_returns(model: Model, context: Context) -> None:
    """LT-15: a view of which the kernel of its copy cannot be generated."""
    for view, copy in _generated_copies(model):
        returns = view.schema.returns
        if len(returns) == 1 and (returns[0].type.text == "Tensor" or _is_plain_list(returns[0].type)):
            continue
        message = f"the view '{view.name.text}' must return one Tensor or one Tensor[], or its copy cannot be generated"
        place = view.schema_place(*view.schema.return_span(0)) if returns else view.name_place
        context.family_error(view, "view-copy-returns", message, place, None, (), [copy])


def _is_plain_list(type: Type) -> bool:
    return type.form is Form.LIST and type.element is not None and type.element.text == "Tensor"


# Kernels


def kernel_namespace_levels(model: Model, context: Context) -> None:
    """LT-17: a kernel in a namespace that is too deep to be declared."""
    for key, row in model.kernels.items():
        for operator, kernel in row.items():
            if kernel.namespace == DEFAULT_NAMESPACE:
                continue
            levels = kernel.namespace.split("::")[:-1]
            if len(levels) > MAX_CUSTOM_NAMESPACES:
                message = f"the namespace '{'::'.join(levels)}' of this kernel has {len(levels)} levels"
                help = f"a kernel can be in {MAX_CUSTOM_NAMESPACES} namespaces, one inside the other"
                place = kernel_place(operator.record, key.name)
                context.family_error(operator, "kernel-namespace-levels", message, place, help)


LATE_RULES: tuple[LateRule, ...] = (
    type_without_cpp,
    written_optional,
    ufunc_loops,
    view_in_group,
    not_functionalizable,
    options_without_out,
    view_arguments,
    view_returns,
    view_copy_key,
    view_copy_symint,
    view_copy_returns,
    kernel_namespace_levels,
    structured_group,
)
