"""Nodes that are lowered to TorchScript, as PyTorch's own lazy backend does it.

In: a `LazyNode`. Out: the functions of its class that make it, say whether it can be used again, and lower it.

    lz  ->  torch::lazy::TSOpVector Lower(...) const override { ... arguments.emplace_back(loctx->GetOutputOp(...)); ...

Rules: spec 12 section 4.
"""

from __future__ import annotations

from opwright.artifacts.lazy_kernels import LazyHooks
from opwright.signatures.lazy import LazyNode, NodeArgument

_SIGNATURE = (
    "torch::lazy::TSOpVector Lower(std::shared_ptr<torch::jit::GraphFunction> function, "
    "torch::lazy::TSLoweringContext* loctx) const override"
)


class TorchScriptHooks(LazyHooks):
    """The hooks of a backend whose graphs run as TorchScript."""

    def create(self, node: LazyNode) -> str:
        signature = f"static NodePtr Create({self.constructor_parameters(node)})"
        if "CreateFnDeclOnly" in node.properties:
            return f"{signature};"
        if "CreateFn" not in node.properties:
            return ""
        return f"{signature} {{ return ReuseOrMakeNode<{node.class_name}>(data); }}"

    def reuse(self, node: LazyNode) -> str:
        signature = f"bool CanBeReused({node.parameters}) const"
        if "CanBeReusedDeclOnly" in node.properties:
            return f"{signature};"
        if "CanBeReused" not in node.properties:
            return ""
        same = [*map(_same_operand, node.values), *map(_same_scalar, node.scalars)]
        return f"""{signature} {{
    size_t i = 0;
    return ({" && ".join(same)});
  }}"""

    def lowering(self, node: LazyNode) -> str:
        if "LowerDeclOnly" in node.properties:
            return f"{_SIGNATURE};"
        if "Lower" not in node.properties:
            return ""
        positional = [item for item in node.arguments if not item.is_keyword]
        keyword = [item for item in node.arguments if item.is_keyword]
        named = [item for item in keyword if item.is_value] + [
            item for item in keyword if item.is_held and not item.is_value
        ]
        statements = [
            *[f"arguments.emplace_back({self._positional(item)});" for item in positional],
            *[f'kwarguments.emplace_back("{item.name}", {self._named(item)});' for item in named],
        ]
        emplaced = "\n    ".join(statements)
        return f"""{_SIGNATURE} {{
    std::vector<torch::jit::NamedValue> arguments;
    std::vector<torch::jit::NamedValue> kwarguments;
    arguments.reserve({len(positional)});
    kwarguments.reserve({len(named)});
    size_t i = 0;
    {emplaced}
    torch::lazy::TSOpVector {node.base}_out =
        torch::lazy::LowerTSBuiltin(function, op().op, arguments, kwarguments);
    TORCH_CHECK_EQ({node.base}_out.size(), {node.returns});

    return {node.base}_out;
  }}"""

    def _positional(self, item: NodeArgument) -> str:
        return _lowered(item, item.is_optional) if item.is_value else f'"{item.name}", {item.name}'

    def _named(self, item: NodeArgument) -> str:
        if not item.is_value:
            return item.name
        return _lowered(item, item.is_optional and self.release.lazy.tests_keyword_values)


def _lowered(item: NodeArgument, is_tested: bool) -> str:
    """The lowered next operand; with `is_tested`, only when it is there."""
    operand = "loctx->GetOutputOp(operand(i++))"
    return f"has_{item.name} ? {operand} : nullptr" if is_tested else operand


def _same_operand(item: NodeArgument) -> str:
    name = item.name
    if item.is_optional:
        return f"nullable_operand(i++) == {name}.value_or(kNullValue)"
    return f"operand(i++) == {name}"


def _same_scalar(item: NodeArgument) -> str:
    name = item.name
    if item.is_optional:
        return f"((!this->{name}&&!{name}) || (this->{name}&&{name} && *(this->{name}) == *{name}))"
    return f"this->{name} == {name}"
