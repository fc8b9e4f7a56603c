package autograd

import (
	"fmt"
	"strings"
)

// In-place operators refuse memory that would be read after it was written,
// after ATen/MemoryOverlap.cpp (PyTorch 2.6). Tensors with gaps or internal
// overlaps are not examined further.

const selfOverlapText = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation."

const overlapText = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation."

// Overlap says which memory may overlap when an operator writes in place.
type Overlap uint8

// The possibilities.
const (
	OverlapRefused    Overlap = iota // neither within the tensor nor with operands
	OverlapOfOperands                // operands may overlap with the tensor
	OverlapAllowed                   // any
)

// An ExpandedWarning is the warning of an operator that, in PyTorch, may still
// write to an expanded tensor.
type ExpandedWarning struct {
	line int    // of TensorAdvancedIndexing.cpp
	also string // an expression that also runs the operator
}

var (
	putExpanded        = &ExpandedWarning{792, "tensor[indices] = tensor"}
	maskedFillExpanded = &ExpandedWarning{1991, "tensor[mask] = scalar"}
	indexFillExpanded  = &ExpandedWarning{1489, "tensor[mask] = scalar"}
)

// checkOverlap checks self before an in-place call changes it. No element of
// self may share its memory with another element of self, or with a different
// element of an operand.
func (a *Args) checkOverlap() error {
	t, o := a.Self(), a.op
	if overlaps(t.sizes, t.strides) && o.Overlap != OverlapAllowed {
		w := o.Expanded
		if w == nil {
			return fail(RuntimeError, CodeOverlap, selfOverlapText)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(o.schema.Name, "_"), "_impl_")
		warnFrom(fmt.Sprintf("./aten/src/ATen/native/TensorAdvancedIndexing.cpp:%d", w.line), "Use of "+name+"_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also applies to advanced indexing e.g. "+w.also)
	}
	if !t.st.aliased || o.Overlap != OverlapRefused {
		return nil
	}
	return a.checkOperands(t)
}

// checkOperands refuses operands that share memory with a result but have a
// different layout.
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

// shareMemory reports whether two dense tensors have elements at the same
// position.
func shareMemory(a, b *Tensor) bool {
	if a.st != b.st || a.Numel() == 0 || b.Numel() == 0 {
		return false
	}
	if !isDense(a.sizes, a.strides) || !isDense(b.sizes, b.strides) {
		return false
	}
	return a.offset < b.offset+b.Numel() && b.offset < a.offset+a.Numel()
}
