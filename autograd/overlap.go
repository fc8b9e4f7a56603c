package autograd

import "strings"

// In-place operators refuse memory that would be read after it was written, after
// ATen/MemoryOverlap.cpp (PyTorch 2.6). Tensors with gaps or overlaps of their own
// are not looked at more closely.

const selfOverlapText = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation."

const overlapText = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation."

// freeOverlap are the operators that do not look at memory at all.
var freeOverlap = map[string]bool{"fill": true, "zero_": true, "tril": true, "triu": true, "set_": true, "resize_": true, "threshold": true}

// freeOperands are the operators that look only at what they write to.
var freeOperands = map[string]bool{
	"index_fill": true, "masked_scatter": true,
	"addmm": true, "addmv": true, "baddbmm": true, "addbmm": true,
}

// expandedWarnings are the operators that write to expanded tensors with a
// warning: where in PyTorch, and the expression that may mean them.
var expandedWarnings = map[string]struct{ line, also string }{
	"index_put":        {"792", "tensor[indices] = tensor"},
	"_index_put_impl_": {"792", "tensor[indices] = tensor"},
	"masked_fill":      {"1991", "tensor[mask] = scalar"},
	"index_fill":       {"1489", "tensor[mask] = scalar"},
}

// checkOverlap checks self, which an in-place call is about to change: no element
// of it may lie at the place of another one, or of an operand's other element.
func (a *Args) checkOverlap() error {
	t, name := a.Self(), a.op.schema.Name
	if overlaps(t.sizes, t.strides) && !freeOverlap[name] {
		w, ok := expandedWarnings[name]
		if !ok {
			return fail(RuntimeError, CodeOverlap, selfOverlapText)
		}
		warnFrom("./aten/src/ATen/native/TensorAdvancedIndexing.cpp:"+w.line, "Use of "+strings.TrimSuffix(strings.TrimPrefix(name, "_"), "_impl_")+"_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also applies to advanced indexing e.g. "+w.also)
	}
	if !t.st.aliased || freeOverlap[name] || freeOperands[name] {
		return nil
	}
	return a.checkOperands(t)
}

// checkOperands refuses operands that show the memory of a result in another way.
func (a *Args) checkOperands(t *Tensor) error {
	return a.each(func(o *Tensor) error {
		if o != t && shareMemory(t, o) && overlapping(t, o) {
			return fail(RuntimeError, CodeOverlap, overlapText)
		}
		return nil
	})
}

// noOverlap refuses operands that share any memory with the tensor that an
// in-place operator is about to change.
func (a *Args) noOverlap(operands ...*Tensor) *Error {
	if !a.inPlace {
		return nil
	}
	for _, o := range operands {
		if o != nil && shareMemory(a.Self(), o) {
			return fail(RuntimeError, CodeOverlap, overlapText)
		}
	}
	return nil
}

// shareMemory reports whether two dense tensors have an element at the same
// place.
func shareMemory(a, b *Tensor) bool {
	if a.st != b.st || a.Numel() == 0 || b.Numel() == 0 {
		return false
	}
	if !isDense(a.sizes, a.strides) || !isDense(b.sizes, b.strides) {
		return false
	}
	return a.offset < b.offset+b.Numel() && b.offset < a.offset+a.Numel()
}
