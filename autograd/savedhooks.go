package autograd

import (
	"slices"
	"strings"
)

// Hooks on saved tensors, after torch/csrc/autograd/saved_variable.cpp (PyTorch
// 2.6). A slot with hooks holds the result of Pack instead of the tensor, and
// the history for the result of Unpack. Versions are not checked for such
// slots.

// SavedTensorHooks replace how tensors are kept for backward. Pack turns a
// tensor into whatever the program wants to keep; it runs with grad mode off
// and must not change the tensor in place. Unpack turns the result back into a
// tensor each time a node reads the slot.
type SavedTensorHooks struct {
	Pack   func(t *Tensor) (any, error)
	Unpack func(packed any) (*Tensor, error)
}

// WithSavedTensorHooks calls f with hooks for the tensors that are saved in it,
// as torch.autograd.graph.saved_tensors_hooks does. Only the innermost hooks
// apply.
func WithSavedTensorHooks(h SavedTensorHooks, f func()) error {
	if err := PushSavedTensorHooks(h); err != nil {
		return err
	}
	defer PopSavedTensorHooks()
	f()
	return nil
}

// PushSavedTensorHooks makes h the default hooks of the current thread, until
// [PopSavedTensorHooks]. It fails while such hooks are disabled.
func PushSavedTensorHooks(h SavedTensorHooks) error {
	if current.hooksDisabled != nil {
		return noted(fail(RuntimeError, CodeHook, "%s", *current.hooksDisabled), "saved_tensors_hooks")
	}
	current.savedHooks = append(slices.Clip(current.savedHooks), h)
	return nil
}

// PopSavedTensorHooks undoes the last PushSavedTensorHooks.
func PopSavedTensorHooks() {
	if n := len(current.savedHooks); n > 0 {
		current.savedHooks = current.savedHooks[:n-1]
	}
}

// DisableSavedTensorHooks makes PushSavedTensorHooks fail with the given
// message; nil allows it again. It returns the previous message, and fails
// while hooks are in use.
func DisableSavedTensorHooks(message *string) (before *string, err error) {
	before = current.hooksDisabled
	if message != nil && len(current.savedHooks) > 0 {
		return before, noted(fail(RuntimeError, CodeHook, "%s", *message), "disable_saved_tensors_hooks")
	}
	current.hooksDisabled = message
	return before, nil
}

// SavedTensorHooksDisabled returns the message of [DisableSavedTensorHooks], or
// nil.
func SavedTensorHooksDisabled() *string { return current.hooksDisabled }

// packed is a slot with hooks: the result of Pack, and the history of the
// tensor.
type packed struct {
	hooks       SavedTensorHooks
	value       any
	gradFn      *Node // nil for a result of the slot's own node
	ownNode     bool
	outputNr    uint32
	accumulator *Node // the AccumulateGrad node of a leaf that requires grad
	tangent     *Tensor
}

// pack passes data, the tensor of the slot, to the hooks.
func (s *saved) pack(h SavedTensorHooks, data *Tensor) error {
	t := s.tensor
	p := &packed{hooks: h, outputNr: t.outputNr, tangent: tangentOf(t)}
	switch {
	case s.kind == resultSlot && !s.inView:
		p.ownNode = true
	case !s.leaf:
		fn, err := t.GradFn()
		if err != nil {
			return err
		}
		p.gradFn, p.outputNr = fn, t.outputNr
	case t.requiresGrad():
		p.accumulator = accumulatorOf(t)
	}
	version := data.version.v
	var err error
	func() {
		defer quietly(false)()
		outside(func() { p.value, err = h.Pack(data) })
	}()
	if err != nil {
		return err
	}
	if data.version.v != version {
		return fail(RuntimeError, CodeHook, "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to perform in-place operations on the input to a pack hook.")
	}
	s.packed, s.tensor = p, nil
	return nil
}

// unpack makes the saved tensor from the result of Pack. n is the node that
// saved it.
func (p *packed) unpack(n *Node) (t *Tensor, err error) {
	outside(func() { t, err = p.hooks.Unpack(p.value) })
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, fail(TypeError, CodeHook, "Output of saved tensor unpack_hook expected to be a Tensor but got result of type NoneType")
	case t.err != nil:
		return nil, t.err
	}
	fn := p.gradFn
	if p.ownNode {
		fn = n
	}
	if fn == nil && p.accumulator == nil && !t.requiresGrad() && p.tangent == nil {
		return t, nil
	}
	v := t.shallow(t.sizes, t.strides, t.offset)
	if fn != nil {
		v.gradFn, v.outputNr = fn, p.outputNr
	}
	if p.accumulator != nil {
		v.flags |= requiresGradFlag
		v.extend().accumulator = p.accumulator
	}
	if p.tangent != nil {
		setTangent(v, p.tangent)
	}
	return v, nil
}

// A SavedTensor is a slot of a node, as the _raw_saved_ attributes show it.
type SavedTensor struct {
	node *Node
	slot int
}

// RawSaved returns the filled slots of a node with the given name: one slot, or
// one for each tensor of a list.
func (n *Node) RawSaved(name string) []*SavedTensor {
	var slots []*SavedTensor
	for i, slot := range n.slotNames() {
		if slotBase(slot) == name {
			slots = append(slots, &SavedTensor{n, i})
		}
	}
	return slots
}

// RegisterHooks sets hooks for a single slot. A slot accepts one pair of hooks.
func (s *SavedTensor) RegisterHooks(h SavedTensorHooks) error {
	return noted(s.registerHooks(h), "register_hooks")
}

func (s *SavedTensor) registerHooks(h SavedTensorHooks) error {
	slot := &s.node.saved[s.slot]
	switch {
	case slot.packed != nil:
		return fail(RuntimeError, CodeHook, "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is allowed at a time.")
	case slot.kind == emptySlot:
		return fail(RuntimeError, CodeHook, "Calling register_hooks on a saved tensor with value None is forbidden")
	case slot.kind == freedSlot:
		return fail(RuntimeError, CodeFreed, "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved variables after calling backward.")
	}
	t := slot.tensor
	return slot.pack(h, t.shallow(t.sizes, t.strides, t.offset))
}

// slotBase returns the name of a slot without its number in a list.
func slotBase(slot string) string {
	base, _, _ := strings.Cut(slot, "[")
	return base
}
