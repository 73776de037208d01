"""The kernels: their results, in all variants, and what they say about outputs that do not fit."""

import warnings

import pytest
import torch

BINARY = ["add", "sub", "mul", "div", "atan2"]
A, B = torch.linspace(-2, 2, 12).reshape(3, 4), torch.linspace(1, 3, 12).reshape(3, 4)


def on_device(function, *tensors):
    return function(*(tensor.to("tiny") for tensor in tensors))


def check(function, *tensors):
    """The result on the device must be that on the CPU."""
    ours, theirs = on_device(function, *tensors), function(*tensors)
    assert (ours.shape, ours.dtype, ours.device) == (theirs.shape, theirs.dtype, torch.device("tiny:0"))
    torch.testing.assert_close(ours.cpu(), theirs, equal_nan=True)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (A, B),
        (A, B[0]),
        (A[:, :1], B[0]),
        (A.t(), B.t()),
        (A[::2], B[1:]),
        (A, torch.tensor(2.5)),
        (A.double(), B),
        (A.to(torch.int32), B.to(torch.int64)),
        (A.half(), B.half()),
        (A[:0], B[:0]),
    ],
    ids=["same", "row", "outer", "transposed", "strided", "scalar", "double", "integers", "half", "empty"],
)
def test_operators_of_two_tensors(name, one, other):
    check(getattr(torch, name), one, other)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
def test_numbers(name):
    check(lambda tensor: getattr(torch, name)(tensor, 3), A)
    check(lambda tensor: getattr(torch, name)(tensor, 0.5), A.to(torch.int32))


def test_multiples():
    check(lambda one, other: torch.add(one, other, alpha=3), A, B)
    check(lambda one, other: torch.sub(one, other, alpha=3), A, B)
    check(lambda one, other: one.add_(other, alpha=2), A.clone(), B)


@pytest.mark.parametrize("name", BINARY)
def test_in_place(name):
    tensor = A.to("tiny")
    memory = tensor.data_ptr()
    result = getattr(tensor, name + "_")(B.to("tiny"))
    assert result is tensor and tensor.data_ptr() == memory
    torch.testing.assert_close(tensor.cpu(), getattr(torch, name)(A, B))
    column = A.to("tiny")
    getattr(column[:, 1], name + "_")(B[:, 0].to("tiny"))
    expected = A.clone()
    getattr(expected[:, 1], name + "_")(B[:, 0])
    torch.testing.assert_close(column.cpu(), expected)


@pytest.mark.parametrize("name", BINARY)
def test_in_place_does_not_grow_or_change_type(name):
    with pytest.raises(RuntimeError, match=r"doesn't match the broadcast shape|Bad in-place call"):
        getattr(A[0].to("tiny"), name + "_")(B.to("tiny"))
    with pytest.raises(RuntimeError, match="can't be cast"):
        getattr(torch.ones(3, dtype=torch.int32).to("tiny"), name + "_")(torch.ones(3).to("tiny") * 0.5)


OUTPUTS = {
    **{name: (getattr(torch, name), A, B) for name in BINARY},
    "mm": (torch.mm, A, B.t().contiguous()),
    "sum": (lambda tensor, out=None: torch.sum(tensor, 1, out=out), A),
    "neg": (torch.neg, A),
    "sigmoid": (torch.sigmoid, A),
    "erfinv": (torch.erfinv, A / 4),  # by fallback
}
outputs = pytest.mark.parametrize("case", OUTPUTS.values(), ids=OUTPUTS.keys())


@outputs
def test_outputs_are_written(case):
    function, *tensors = case
    ours = [tensor.to("tiny") for tensor in tensors]
    expected = function(*tensors)
    out = torch.full_like(expected, 7).to("tiny")
    memory = out.data_ptr()
    assert function(*ours, out=out) is out
    assert out.data_ptr() == memory
    torch.testing.assert_close(out.cpu(), expected)
    strided = torch.zeros(*expected.shape, 2, device="tiny")[..., 0]
    function(*ours, out=strided)
    assert strided.stride()[-1] == 2
    torch.testing.assert_close(strided.cpu(), expected)


@outputs
def test_outputs_without_elements_are_resized(case):
    function, *tensors = case
    out = torch.empty(0, device="tiny")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(*(tensor.to("tiny") for tensor in tensors), out=out)
    torch.testing.assert_close(out.cpu(), function(*tensors))


@outputs
def test_outputs_of_a_wrong_size_are_resized_with_a_warning(case):
    function, *tensors = case
    out = torch.zeros(7, device="tiny")
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        function(*(tensor.to("tiny") for tensor in tensors), out=out)
    torch.testing.assert_close(out.cpu(), function(*tensors))


@pytest.mark.parametrize("name", [*BINARY, "mm", "neg", "sigmoid"])
def test_outputs_of_a_wrong_type_are_refused(name):
    function, *tensors = OUTPUTS[name]
    ours = [tensor.to("tiny") for tensor in tensors]
    with pytest.raises(RuntimeError, match=r"can't be cast|dtype"):
        function(*ours, out=torch.empty(3, 3 if name == "mm" else 4, dtype=torch.int64, device="tiny"))


@pytest.mark.parametrize("name", BINARY)
def test_outputs_of_a_wider_type_are_converted_to(name):
    function, *tensors = OUTPUTS[name]
    out = torch.empty(3, 4, dtype=torch.float64)
    ours = on_device(lambda *given: function(*given[:-1], out=given[-1]), *tensors, out)
    torch.testing.assert_close(ours.cpu(), function(*tensors, out=out))


@pytest.mark.parametrize("name", [*BINARY, "mm", "neg", "sigmoid", "sum"])
@pytest.mark.parametrize("device", ["cpu", "tiny:1"])
def test_outputs_on_a_wrong_device_are_refused(name, device):
    function, *tensors = OUTPUTS[name]
    out = torch.zeros_like(function(*tensors)).to(device)
    with pytest.raises(RuntimeError, match=r"same device|Expected out tensor to have device tiny:0"):
        function(*(tensor.to("tiny:0") for tensor in tensors), out=out)
    assert not out.cpu().any()


def test_matrices():
    check(torch.mm, A, B.t())
    check(torch.mm, A.t(), B)
    check(torch.mm, A[:, :0], B.t()[:0])
    check(torch.addmm, torch.ones(3), A, B.t())
    check(lambda *given: torch.addmm(*given, beta=2, alpha=0.5), torch.ones(3, 3), A, B.t())
    check(torch.bmm, A[None], B.t()[None])  # by fallback
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        on_device(torch.mm, A, B)
    with pytest.raises(RuntimeError, match=r"must be matrices|must be a matrix|2D"):
        on_device(torch.mm, A[0], B)


def test_reductions():
    for tensor in (A, A.to(torch.int32), A.t(), A[:0]):
        check(torch.sum, tensor)
        check(lambda given: given.sum(0), tensor)
        check(lambda given: given.sum((0, 1), keepdim=True), tensor)
    check(torch.mean, A)
    check(lambda given: given.mean(1), A)
    check(lambda given: given.sum(dtype=torch.float64), A)


def test_operators_of_one_tensor():
    for function in (torch.neg, torch.relu, torch.sigmoid, torch.exp, torch.sqrt, torch.abs):
        check(function, A)
        check(function, A.t())
    check(lambda given: given.relu_(), A.clone())
    check(lambda given: given.neg_(), A.clone())
    check(lambda given: given.sigmoid_(), A.clone())
    check(lambda given: torch.log_softmax(given, 1), A)
    check(lambda given: torch.full_like(given, 3), A)


def test_gradients():
    def gradients(device):
        one, other = (tensor.clone().to(device).requires_grad_() for tensor in (A, B))
        loss = (one * other - one / other + torch.atan2(one, other)).relu().mm(other.t()).log_softmax(1).mean()
        loss.backward()
        return one.grad.cpu(), other.grad.cpu()

    for ours, theirs in zip(gradients("tiny:1"), gradients("cpu"), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_an_operator_with_a_gradient_of_our_own():
    """`silu` is registered under the autograd key; its kernel says how the gradient is made."""
    torch.tiny.fallback.reset()
    ours, theirs = A.to("tiny").requires_grad_(), A.clone().requires_grad_()
    result = torch.nn.functional.silu(ours)
    assert "TinySilu" in result.grad_fn.name()
    result.square().sum().backward()
    torch.nn.functional.silu(theirs).square().sum().backward()
    torch.testing.assert_close(ours.grad.cpu(), theirs.grad)
    assert not any("silu" in name for name in torch.tiny.fallback.counts())
    with torch.no_grad():
        assert torch.nn.functional.silu(ours).grad_fn is None
