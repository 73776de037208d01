"""Copies, views, resizing, storages, printing and files."""

import io

import pytest
import torch

VALUES = torch.arange(24.0).reshape(4, 6)
LAYOUTS = {
    "contiguous": lambda tensor: tensor,
    "transposed": lambda tensor: tensor.t(),
    "rows": lambda tensor: tensor[1:3],
    "columns": lambda tensor: tensor[:, 1:4],
    "every other": lambda tensor: tensor[:, ::2],
    "expanded": lambda tensor: tensor[:1].expand(4, 6),
    "scalar": lambda tensor: tensor[2, 3],
    "empty": lambda tensor: tensor[:0],
}
PLACES = ["cpu", "tiny:0", "tiny:1"]
PAIRS = [(source, target) for source in PLACES for target in PLACES if (source, target) != ("cpu", "cpu")]
pairs = pytest.mark.parametrize(("source", "target"), PAIRS)


@pairs
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_any_layout_is_copied(layout, source, target):
    tensor = layout(VALUES.to(source))
    for non_blocking in (False, True):
        copied = tensor.to(target, non_blocking=non_blocking, copy=True)
        assert copied.device == torch.device(target)
        assert copied.dtype == tensor.dtype
        assert torch.equal(copied.cpu(), layout(VALUES))


@pairs
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.int32, torch.bool, torch.complex64])
def test_copies_convert(dtype, source, target):
    copied = VALUES.to(source).to(target, dtype)
    assert (copied.device, copied.dtype) == (torch.device(target), dtype)
    assert torch.equal(copied.cpu(), VALUES.to(dtype))


@pairs
@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "expanded"])
def test_copies_into_any_layout_leave_the_rest_alone(layout, source, target):
    expected, whole = VALUES.clone(), VALUES.to(target, copy=True)
    new = -LAYOUTS[layout](VALUES)
    LAYOUTS[layout](expected).copy_(new)
    LAYOUTS[layout](whole).copy_(new.to(source))
    assert torch.equal(whole.cpu(), expected)


@pairs
def test_copies_repeat_smaller_tensors(source, target):
    target = torch.zeros(4, 6, device=target)
    target.copy_(VALUES[0].to(source))
    assert torch.equal(target.cpu(), VALUES[0].expand(4, 6))


@pairs
def test_copies_resolve_conjugates_and_negatives(source, target):
    values = torch.complex(VALUES, VALUES + 1)
    assert torch.equal(values.to(source).conj().to(target).cpu(), values.conj().resolve_conj())
    assert torch.equal(values.to(source).conj().imag.to(target).cpu(), values.conj().imag.resolve_neg())


def test_pinned_memory():
    pinned = VALUES.pin_memory()
    assert pinned.is_pinned() and not VALUES.is_pinned()
    assert torch.equal(pinned.to("tiny", non_blocking=True).cpu(), VALUES)
    with pytest.raises(RuntimeError, match="only memory of the CPU can be pinned"):
        torch.empty(3, device="tiny", pin_memory=True)


def test_views_share_memory():
    whole = VALUES.to("tiny")
    views = [whole.view(6, 4), whole[1:], whole.t(), whole.unfold(1, 2, 2), whole.diagonal(), whole.flatten()]
    whole.zero_()
    for view in views:
        assert not view.cpu().any()
        assert view.untyped_storage().data_ptr() == whole.untyped_storage().data_ptr()
    views[1].fill_(1)
    assert whole.sum().item() == 18
    complex_view = torch.view_as_complex(whole.view(4, 3, 2))
    complex_view.zero_()
    assert not whole.cpu().any()
    assert torch.view_as_real(complex_view).data_ptr() == whole.data_ptr()


def test_memory_formats():
    images = torch.randn(2, 3, 4, 5)
    ours = images.to("tiny").contiguous(memory_format=torch.channels_last)
    assert ours.is_contiguous(memory_format=torch.channels_last)
    assert torch.equal(ours.cpu(), images)
    assert torch.empty_like(ours).stride() == ours.stride()
    assert ours.resize_(1, 2, 2, 2, memory_format=torch.channels_last).stride() == (8, 1, 4, 2)


def test_resizing_keeps_what_is_there():
    tensor = torch.arange(3.0).to("tiny:1")
    tensor.resize_(2, 2)
    assert tensor.flatten()[:3].tolist() == [0, 1, 2]
    assert tensor.untyped_storage().device == torch.device("tiny:1")
    tensor.resize_(1)
    assert tensor.tolist() == [0]
    assert tensor.untyped_storage().nbytes() == 16
    tensor.untyped_storage().resize_(4)
    assert tensor.tolist() == [0]
    part = torch.zeros(4, device="tiny")[2:]
    assert part.resize_(6).untyped_storage().nbytes() == 32


def test_storages():
    tensor = VALUES.to("tiny")
    other = torch.empty(0, device="tiny").set_(tensor.untyped_storage(), 2, (3,), (6,))
    assert other.tolist() == [2, 8, 14]
    assert torch.empty(0, device="tiny").set_(tensor.untyped_storage()).tolist() == list(range(24))
    assert torch.empty(0, device="tiny").set_(tensor[2]).tolist() == VALUES[2].tolist()
    with pytest.raises(RuntimeError, match="out of bounds"):
        torch.empty(0, device="tiny").set_(tensor.untyped_storage(), 0, (25,), (1,))
    with pytest.raises(RuntimeError, match="devices must match"):
        torch.empty(0, device="tiny:1").set_(tensor.untyped_storage(), 0, (3,), (1,))
    assert torch.equal(tensor.clone().cpu(), VALUES)


def test_reading_elements():
    tensor = VALUES.to("tiny")
    assert tensor[1, 2].item() == 8
    assert tensor[3].tolist() == VALUES[3].tolist()
    assert bool(tensor.any()) and int(tensor[1, 1]) == 7
    assert tensor.cpu().numpy().sum() == 276
    assert [row.sum().item() for row in tensor] == [15, 51, 87, 123]


def test_printing():
    assert repr(torch.arange(3, device="tiny")) == "tensor([0, 1, 2], device='tiny:0')"
    assert repr(torch.tensor([1.5, -2], device="tiny:1")) == "tensor([ 1.5000, -2.0000], device='tiny:1')"
    assert repr(torch.empty(0, device="tiny")) == "tensor([], device='tiny:0')"
    assert f"{torch.tensor(0.5, device='tiny'):.2f}" == "0.50"


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


def test_files_keep_the_device():
    file = saved({"whole": VALUES.to("tiny:1"), "part": VALUES.to("tiny:0")[1:]})
    loaded = torch.load(file)
    assert [tensor.device for tensor in loaded.values()] == [torch.device("tiny:1"), torch.device("tiny:0")]
    assert torch.equal(loaded["whole"].cpu(), VALUES)
    assert torch.equal(loaded["part"].cpu(), VALUES[1:])


@pytest.mark.parametrize("target", PLACES)
@pytest.mark.parametrize("source", PLACES)
def test_files_go_to_any_device(source, target):
    for place in (target, torch.device(target), {source: target}):
        loaded = torch.load(saved(VALUES.to(source)), map_location=place)
        assert loaded.device == torch.device(target)
        assert torch.equal(loaded.cpu(), VALUES)


def test_files_with_models():
    model = torch.nn.Linear(3, 2).to("tiny")
    other = torch.nn.Linear(3, 2)
    other.load_state_dict(torch.load(saved(model.state_dict()), map_location="cpu"))
    inputs = torch.randn(4, 3)
    torch.testing.assert_close(model(inputs.tiny()).cpu(), other(inputs))


def test_files_of_a_device_that_is_not_there():
    file = io.BytesIO(saved(torch.ones(1, device="tiny:1")).getvalue().replace(b"tiny:1", b"tiny:7"))
    with pytest.raises(RuntimeError, match=r"device_count\(\) is 2"):
        torch.load(file)
