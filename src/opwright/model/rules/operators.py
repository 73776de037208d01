"""Rules for one operator: what its fields, its schema and its dispatch table must be to each other.

In: an operator, or an entry on its way to become one. Out: diagnostics in the context.

Rules: spec 03 sections 1 (EN-7, EN-12, EN-15, EN-17, EN-19, EN-22), 4 (DI-11 to DI-13), 5 (OP) and 11 (LT-1 to LT-6).
"""

from __future__ import annotations

from collections.abc import Callable

from opwright.diagnostics import Related, did_you_mean
from opwright.model.context import Context
from opwright.model.dispatch import kernel_place, key_place
from opwright.model.operators import Operator
from opwright.releases.keys import (
    COMPOSITE_EXPLICIT,
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_IMPLICIT,
    COMPOSITE_IMPLICIT_NESTED,
    META,
)
from opwright.source import Place
from opwright.syntax.records import Record
from opwright.syntax.schema import Argument, Schema
from opwright.syntax.yamltree import Scalar, Sequence

OperatorRule = Callable[[Operator, Context], None]

_ALLOWED_COMPOSITES = (
    {COMPOSITE_IMPLICIT, COMPOSITE_IMPLICIT_NESTED},
    {COMPOSITE_EXPLICIT, COMPOSITE_IMPLICIT_NESTED},
)
SEEDED = "nondeterministic_seeded"


def unknown_variant(node: Scalar, at: int, word: str, context: Context) -> None:
    """EN-7: a variant that is neither `function` nor `method`."""
    place = node.part(at, at + len(word)) if word else node.place
    hint = did_you_mean(word, ("function", "method"))
    if "," in word:
        hint = "variants are separated by a comma and one blank: 'function, method'"
    message = f"'{word}' is not a variant; variants are 'function' and 'method'"
    if not word:
        message = "a variant is missing here; variants are 'function' and 'method'"
    context.error("unknown-variant", message, place, hint)


def device_check_word(record: Record, word: str, context: Context) -> bool:
    """EN-12: a `device_check` that is neither of its words. Returns whether the check is on."""
    if word not in ("ExactSame", "NoCheck"):
        hint = did_you_mean(word, ("ExactSame", "NoCheck"))
        message = f"'{word}' is not a device check; write 'NoCheck' or 'ExactSame'"
        context.error("device-check-word", message, record.place("device_check"), hint)
    return word != "NoCheck"


def delegate_namespace(record: Record, text: str, context: Context) -> None:
    """EN-15: a structured delegate with a namespace."""
    help = f"write '{text.rpartition('::')[2]}'; the delegate is in the operator's own namespace"
    message = "a structured delegate is named without its namespace"
    place = record.place("structured_delegate")
    node = record.value("structured_delegate")
    if isinstance(node, Scalar):
        place = node.part(0, text.rfind("::") + 2)
    context.error("structured-delegate-namespace", message, place, help)


def autogen_separator(node: Scalar, at: int, word: str, context: Context) -> None:
    """EN-20: names in `autogen` that are not separated by a comma and one blank."""
    comma = at + word.find(",")
    names = ", ".join(part.strip() for part in node.value.split(",") if part.strip())
    message = "the names in 'autogen' are separated by a comma and one blank"
    context.error("autogen-separator", message, node.part(comma, comma + 1), f"write '{names}'")


def autogen_namespace(node: Scalar, at: int, word: str, context: Context) -> None:
    """GR-13: a generated operator that is named with a namespace."""
    stop = word.rfind("::") + 2
    message = "a generated operator is named without its namespace, which is that of this entry"
    context.error("autogen-namespace", message, node.part(at, at + stop), f"write '{word[stop:]}'")


def factory_without_dispatch(record: Record, schema: Schema, context: Context) -> None:
    """DI-11: an operator that makes a tensor from nothing and has no dispatch table."""
    base = schema.name.base
    is_factory = base.startswith("new_") or base.endswith("_like")
    if is_factory or (schema.has_options and not any(argument.type.is_tensor_like for argument in schema.non_out)):
        message = f"'{schema.name.text}' makes a tensor by itself, so its kernels must be listed under 'dispatch'"
        help = "a kernel under CompositeExplicitAutograd serves every backend"
        func = record.value("func")
        place = func.part(*schema.name_span()) if isinstance(func, Scalar) else record.place("func")
        context.error("factory-without-dispatch", message, place, help)


def python_module_method(operator: Operator, context: Context) -> None:
    """EN-17: a Python module on an operator that is a method of tensors."""
    if operator.python_module is not None and operator.is_method:
        message = f"a method of Tensor cannot be in the Python module '{operator.python_module}'"
        help = "remove 'method' from the variants, or the field 'python_module'"
        context.error("python-module-method", message, operator.field_place("python_module"), help)


def inherits_namespace(operator: Operator, context: Context) -> None:
    """EN-19: a parent class with a namespace."""
    if operator.structured_inherits and "::" in operator.structured_inherits:
        message = "the parent class is named without its namespace, which is 'at'"
        help = f"write '{operator.structured_inherits.rpartition('::')[2]}'"
        context.error("structured-inherits-namespace", message, operator.field_place("structured_inherits"), help)


def const_ref_out(operator: Operator, context: Context) -> None:
    """EN-22: const references for written tensors on an operator with out arguments."""
    if context.release.refuses_const_ref_out and operator.const_ref_mutable and operator.schema.out:
        message = "'use_const_ref_for_mutable_tensors' cannot stand on an operator with out arguments"
        context.error("const-ref-out", message, operator.field_place("use_const_ref_for_mutable_tensors"))


def manual_registration_dispatch(operator: Operator, context: Context) -> None:
    """DI-2: a dispatch table although the kernels are registered by hand."""
    if operator.manual_kernel_registration and operator.record.has("dispatch") and not operator.is_structured_member:
        message = "'dispatch' has no effect on an operator whose kernels are registered by hand"
        place = operator.record.key_place("dispatch")
        context.error("manual-registration-dispatch", message, place, "remove one of the two fields")


def composite_keys(operator: Operator, context: Context) -> None:
    """DI-12: composite kernels that exclude each other."""
    if len(operator.kernels) < 2:
        return
    own = [key.name for key in operator.kernels if key.is_composite]
    if len(own) > 1 and set(own) not in _ALLOWED_COMPOSITES:
        message = f"an operator cannot have kernels for {_listed(own)} at once"
        related = [Related(key_place(operator.record, own[0]), "another composite kernel")]
        context.faults.error("composite-keys", message, key_place(operator.record, own[-1]), None, related)


def _listed(words: list[str]) -> str:
    """The words as in a sentence: `a`, `a and b`, `a, b and c`."""
    head, last = ", ".join(words[:-1]), words[-1]
    return f"{head} and {last}" if head else last


def delegate_dispatch(operator: Operator, context: Context) -> None:
    """DI-13: a kernel for a backend although the structured delegate brings it."""
    if operator.structured_delegate is None or operator.structured or operator.schema.out:
        return
    keys = [key.name for key in operator.kernels if key.is_structured]
    if keys:
        what = "kernel for" if len(keys) == 1 else "kernels for"
        verb = "comes" if len(keys) == 1 else "come"
        message = (
            f"the {what} {_listed(keys)} {verb} from '{operator.structured_delegate}', to which this one delegates"
        )
        help = "list kernels of structured operators at the out variant"
        context.error("delegate-dispatch", message, key_place(operator.record, keys[0]), help)


def out_variants(operator: Operator, context: Context) -> None:
    """OP-1: an out operator that is other than a function."""
    if operator.schema.out and operator.is_method:
        message = "an operator with out arguments is a function and cannot be a method of Tensor"
        context.error("out-variants", message, _method_place(operator), "remove the field 'variants'")


def _method_place(operator: Operator) -> Place:
    """The word `method` in the field `variants`."""
    node = operator.record.value("variants")
    if not isinstance(node, Scalar):
        return operator.field_place("variants")
    at = node.value.find("method")
    return node.part(at, at + len("method"))


def structured_not_out(operator: Operator, context: Context) -> None:
    """OP-2: `structured` elsewhere than on an out operator."""
    if operator.structured and not operator.schema.out and operator.structured_delegate is None:
        message = "only an operator with out arguments can be structured"
        overload = f"{operator.name.overload}_out" if operator.name.overload else "out"
        target = operator.name.with_overload(overload).text
        help = f"write 'structured_delegate: {target}' here and 'structured: True' at '{target}'"
        context.error("structured-not-out", message, operator.record.key_place("structured"), help)


def structured_device_guard(operator: Operator, context: Context) -> None:
    """OP-3: a structured operator without device guard."""
    if operator.structured and not operator.device_guard:
        message = "a structured operator always has its device guard"
        help = "remove the field 'device_guard'"
        context.error("structured-device-guard", message, operator.field_place("device_guard"), help)


def delegate_on_out(operator: Operator, context: Context) -> None:
    """OP-4: a delegate on an out operator."""
    if operator.structured_delegate is not None and operator.schema.out and not operator.structured:
        message = "an operator with out arguments cannot delegate; it is the one that others delegate to"
        help = "write 'structured: True' instead"
        context.error("delegate-on-out", message, operator.record.key_place("structured_delegate"), help)


def delegate_device_guard(operator: Operator, context: Context) -> None:
    """OP-5: a delegating operator without device guard."""
    if operator.structured_delegate is not None and not operator.device_guard:
        message = "an operator with a structured delegate always has its device guard"
        help = "remove the field 'device_guard'"
        context.error("delegate-device-guard", message, operator.field_place("device_guard"), help)


def structured_and_delegate(operator: Operator, context: Context) -> None:
    """OP-6: an operator that is structured and delegates."""
    if operator.structured and operator.structured_delegate is not None:
        message = "an operator is structured or delegates to one that is, not both"
        related = [Related(operator.record.key_place("structured"), "it is structured")]
        place = operator.record.key_place("structured_delegate")
        help = "'structured' belongs to the out variant, 'structured_delegate' to the others"
        context.faults.error("structured-and-delegate", message, place, help, related)


def foreach_device_check(operator: Operator, context: Context) -> None:
    """OP-7: a foreach operator with device check."""
    if operator.device_check and operator.name.text.startswith("_foreach"):
        message = f"the lists of '{operator.name.text}' may span devices, which the device check would refuse"
        place = operator.field_place("device_check")
        context.error("foreach-device-check", message, place, "write 'device_check: NoCheck'")


def no_default_argument(operator: Operator, context: Context) -> None:
    """OP-8: a default to be dropped that is not there."""
    if not operator.cpp_no_default_args:
        return
    with_default = [argument.name for argument in operator.schema.arguments if argument.default is not None]
    for name in sorted(operator.cpp_no_default_args.difference(with_default)):
        message = f"'{operator.name.text}' has no argument '{name}' with a default"
        hint = did_you_mean(name, with_default)
        context.error("no-default-argument", message, _item_place(operator, "cpp_no_default_args", name), hint)


def _item_place(operator: Operator, field: str, text: str) -> Place:
    """The place of an item of a list; that of the field when the item is not there."""
    node = operator.record.value(field)
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar) and item.value == text:
            return item.place
    return operator.field_place(field)


def inherits_not_structured(operator: Operator, context: Context) -> None:
    """OP-9: a parent class for the meta class of an operator that has none."""
    if operator.structured_inherits and not operator.structured:
        message = "'structured_inherits' belongs to operators with 'structured: True'"
        place = operator.record.key_place("structured_inherits")
        context.error("inherits-not-structured", message, place)


def missing_seeded_tag(operator: Operator, context: Context) -> None:
    """OP-10: an operator that draws random numbers and does not say so."""
    text = operator.name.text
    may_be_random = "rand" in text or "dropout" in text or context.random_tails[operator.schema.tail]
    if not may_be_random or SEEDED in operator.tags:
        return
    reason = _randomness(operator, context)
    if reason and all(tag in operator.tags for tag in declared_tags(operator)):
        message = f"'{operator.name.text}' needs the tag '{SEEDED}': {reason}"
        context.error("missing-seeded-tag", message, operator.name_place, tag_advice(operator, SEEDED, context))


def declared_tags(operator: Operator) -> list[str]:
    """The tags that an entry gives, known or not."""
    node = operator.record.value("tags")
    items = node.items if isinstance(node, Sequence) else [node] if node is not None else []
    return [item.value for item in items if isinstance(item, Scalar)]


def tag_place(operator: Operator, tag: str) -> Place:
    """The place of a tag among those of an entry."""
    return _item_place(operator, "tags", tag)


def tag_advice(operator: Operator, tag: str, context: Context) -> str:
    """How to give an operator a tag."""
    tags = [*declared_tags(operator), tag]
    wanted = f"write 'tags: {tag}'" if len(tags) == 1 else f"write 'tags: [{', '.join(tags)}]'"
    return wanted if tag in context.defined_tags else f"{wanted}, and define the tag in tags.yaml"


def _randomness(operator: Operator, context: Context) -> str | None:
    """Why an operator counts as random, or None."""
    name = operator.name
    deterministic = context.release.lists.deterministic_parts
    if "rand" in name.text and not any(part in name.text for part in deterministic):
        return "its name contains 'rand'"
    if "backward" not in name.text and name.base != "_cudnn_init_dropout_state":
        if "dropout" in name.text:
            return "its name contains 'dropout'"
        if context.release.dropout_arguments and any("dropout" in item.name for item in operator.schema.arguments):
            return "an argument's name contains 'dropout'"
    if any(argument.type.base == "Generator" for argument in operator.schema.non_out):
        return "it takes a generator"
    return None


def method_without_self(operator: Operator, context: Context) -> None:
    """LT-1: a method of tensors without a `self` that is a tensor."""
    if not operator.is_method:
        return
    own = operator.schema.self_argument
    if own is None:
        message = "a method of Tensor needs a positional argument 'self'"
        context.error("method-without-self", message, _method_place(operator), "name the argument 'self'")
    elif own.type.text != "Tensor":
        message = f"the 'self' of a method must be a 'Tensor', not '{own.type.text}'"
        context.error("method-without-self", message, operator.argument_place(own))


def structured_meta_kernel(operator: Operator, context: Context) -> None:
    """LT-2, LT-4: a kernel that structured operators get by themselves."""
    if not operator.structured:
        return
    for name in (META, COMPOSITE_EXPLICIT_NON_FUNCTIONAL):
        if operator.has_kernel(name):
            message = f"the kernel for '{name}' of a structured operator is generated"
            place = key_place(operator.record, name)
            context.error("structured-meta-kernel", message, place, f"remove '{name}'")


def structured_manual_registration(operator: Operator, context: Context) -> None:
    """LT-3: kernels registered by hand in a structured group."""
    if operator.is_structured_member and operator.manual_kernel_registration:
        message = "the kernels of a structured group cannot be registered by hand"
        context.error(
            "structured-manual-registration", message, operator.record.key_place("manual_kernel_registration")
        )


def symint_kernel(operator: Operator, context: Context) -> None:
    """LT-5: a kernel that takes symbolic integers on an operator that has none."""
    if operator.schema.has_symint:
        return
    for key in [key for key, kernel in operator.kernels.items() if "_symint" in kernel.name][:1]:
        message = f"'{operator.kernels[key].name}' takes symbolic integers by its name, but no argument is SymInt"
        help = "write SymInt for an argument, or rename the kernel"
        context.error("symint-kernel", message, kernel_place(operator.record, key.name), help)


def kernel_namespaces(operator: Operator, context: Context) -> None:
    """LT-6: kernels in several C++ namespaces."""
    if len({kernel.namespace for kernel in operator.kernels.values()}) < 2:
        return
    namespaces = {kernel.namespace: key.name for key, kernel in reversed(operator.kernels.items())}
    *_, other, first = namespaces
    message = f"the kernels of one operator must be in one C++ namespace, not in {_listed([first, other])}"
    related = [Related(kernel_place(operator.record, namespaces[first]), f"in '{first}'")]
    place = kernel_place(operator.record, namespaces[other])
    context.faults.error("kernel-namespaces", message, place, None, related)


def precomputed_unknown_parameter(operator: Operator, context: Context) -> None:
    """A precomputed value in place of what is no argument; torchgen leaves it out without a word."""
    replaced = operator.precomputed.replaced if operator.precomputed else {}
    known = [argument.name for argument in operator.schema.non_out if argument.name != "self"]
    for parameter in replaced:
        if parameter not in known and parameter.isidentifier():
            message = f"'{parameter}' is not an argument of '{operator.name.text}' that can be replaced"
            place = _precomputed_place(operator, parameter)
            context.error("precomputed-unknown-parameter", message, place, did_you_mean(parameter, known))


def precomputed_name_taken(operator: Operator, context: Context) -> None:
    """Two parameters of one name in the kernel, one of them precomputed; torchgen writes C++ that does not compile."""
    values = operator.precomputed
    if values is None:
        return
    taken = {argument.name for argument in operator.schema.arguments} - values.replaced.keys()
    for argument in [*(item for made in values.replaced.values() for item in made), *values.added]:
        if argument.name in taken:
            message = f"the kernel would have two parameters '{argument.name}'"
            place = _precomputed_place(operator, argument.text)
            context.error("precomputed-name-taken", message, place, "give the precomputed value another name")
        taken.add(argument.name)


def _precomputed_place(operator: Operator, text: str) -> Place:
    """The last place of a text in the items of `precomputed`."""
    node = operator.record.value("precomputed")
    for item in reversed(node.items) if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            at = f" {item.value} ".replace(",", " ").rfind(f" {text} ")
            if at >= 0:
                return item.part(at, at + len(text))
    return operator.record.key_place("precomputed")


def ambiguous_alias(operator: Operator, context: Context) -> None:
    """LT-10: a return with the annotation of several arguments, on an operator with kernels for backends."""
    schema = operator.schema
    if not operator.is_view or operator.is_composite_implicit:
        return
    for index, item in enumerate(schema.returns):
        owners = [argument for argument in schema.arguments if argument.annotation is item.annotation]
        if item.annotation is not None and len(owners) > 1:
            names = " and ".join(f"'{owner.name}'" for owner in owners)
            message = f"this return cannot be an alias of more than one argument: {names}"
            related = [Related(operator.argument_place(owner), "one of them") for owner in owners]
            place = operator.schema_place(*schema.return_span(index))
            context.faults.error("ambiguous-alias", message, place, None, related)


def required_keyword(operator: Operator, context: Context) -> None:
    """A keyword-only argument without a default behind one that has a default, which C++ cannot declare."""
    schema = operator.schema
    if not schema.keyword:
        return
    optional: Argument | None = None
    at = len(schema.positional) + schema.options_index if schema.has_options else -1
    for index, argument in enumerate(schema.non_out):
        if 0 <= at < index < at + 4:
            continue  # dtype stands for the whole bundle, which is one parameter
        if argument.default is not None and argument.name not in operator.cpp_no_default_args:
            optional = optional or argument
        elif optional is not None and index >= len(schema.positional):
            message = f"'{argument.name}' has no default in C++ but follows '{optional.name}', which has one"
            help = f"give it a default too, or write 'cpp_no_default_args: [{optional.name}]'"
            related = [Related(operator.argument_place(optional), "this argument may be left out")]
            place = operator.argument_place(argument)
            context.faults.error("required-after-default", message, place, help, related)
            return


#: Rules that every operator is held to.
ALWAYS: tuple[OperatorRule, ...] = (foreach_device_check, missing_seeded_tag, required_keyword, ambiguous_alias)
#: Rules that only an operator with a certain field can break, by that field.
BY_FIELD: dict[str, tuple[OperatorRule, ...]] = {
    "variants": (out_variants, method_without_self),
    "dispatch": (
        composite_keys,
        delegate_dispatch,
        structured_meta_kernel,
        symint_kernel,
        kernel_namespaces,
    ),
    "device_guard": (structured_device_guard, delegate_device_guard),
    "python_module": (python_module_method,),
    "structured": (structured_not_out,),
    "structured_delegate": (delegate_on_out, structured_and_delegate),
    "structured_inherits": (inherits_namespace, inherits_not_structured),
    "precomputed": (precomputed_unknown_parameter, precomputed_name_taken),
    "cpp_no_default_args": (no_default_argument,),
    "manual_kernel_registration": (manual_registration_dispatch, structured_manual_registration),
    "use_const_ref_for_mutable_tensors": (const_ref_out,),
}


def check_operator(operator: Operator, context: Context) -> None:
    """Hold an operator to every rule that it can break."""
    fields = tuple(operator.record.fields)
    rules = context.rules_by_fields.get(fields)
    if rules is None:
        rules = (*ALWAYS, *(rule for field in fields for rule in BY_FIELD.get(field, ())))
        context.rules_by_fields[fields] = rules
    for rule in rules:
        rule(operator, context)
