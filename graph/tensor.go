package graph

// A Tensor is a tensor as it is at the graph's position.
type Tensor struct {
	ID           TensorID
	Name         string // the newest name bound to it; "" if none
	DType        DType
	Device       string // "cpu", "cuda:0", as PyTorch writes it
	Shape        []int
	Strides      []int // empty: contiguous
	Offset       uint64
	Flags        TensorFlags // as at creation
	RequiresGrad bool
	RetainsGrad  bool
	Node         NodeID // grad_fn
	Output       uint32 // output_nr
	Base         TensorID
	View         ViewKind
	Storage      StorageID
	Counter      CounterID
	Version      uint32
	Grad         TensorID // .grad
	Released     bool
	Created      Pos
	Mutated      Pos   // the newest event that moved its version counter; -1: none
	Value        Value // newest known content
	ValueStale   bool  // its memory was changed through another tensor since
}

// CPU is the device of tensors whose events name none.
const CPU = "cpu"

// Device returns the name of a device.
func (t *Tape) Device(id StringID) string {
	if id == 0 {
		return CPU
	}
	return t.String(id)
}

// DeviceText is what to say of a device behind a tensor's type: " cuda:0", nothing of the CPU.
// It comes from the program.
func DeviceText(device string) string {
	if device == CPU {
		return ""
	}
	return " " + device
}

// Leaf reports whether the tensor is a leaf: it has no grad_fn.
func (t Tensor) Leaf() bool { return t.Node == 0 }

// Numel is the number of elements.
func (t Tensor) Numel() int {
	n := 1
	for _, s := range t.Shape {
		n *= s
	}
	return n
}

// Tensor returns the tensor with the given identifier; ok is false when it does
// not exist (yet).
func (g *Graph) Tensor(id TensorID) (t Tensor, ok bool) {
	if !g.tensors.has(id) {
		return Tensor{}, false
	}
	s := g.tensors.at(id)
	e, ok := decodeAs[*TensorCreated](g, Pos(s.created))
	if !ok {
		return Tensor{}, false
	}
	c := g.counters.at(s.counter)
	t = Tensor{
		ID: id, Name: g.bindingName(s.binding), DType: e.DType, Device: g.tape.Device(e.Device),
		Shape: e.Shape, Strides: e.Strides, Offset: e.Offset, Flags: e.Flags,
		RequiresGrad: g.RequiresGrad(id), RetainsGrad: s.flags&tensorRetainsGrad != 0,
		Node: NodeID(s.node), Output: s.output, Base: s.base, View: ViewKind(s.view),
		Storage: s.storage, Counter: s.counter, Version: c.version,
		Grad: TensorID(s.grad), Released: s.flags&tensorReleased != 0,
		Created: Pos(s.created), Mutated: Pos(c.mutated) - 1, Value: e.Value,
	}
	if s.shaped != 0 {
		if e, ok := decodeAs[*Reshaped](g, Pos(s.shaped)-1); ok {
			t.DType, t.Shape, t.Strides, t.Offset = e.DType, e.Shape, e.Strides, e.Offset
			t.Device = g.tape.Device(e.Device)
		}
	}
	if s.valued != 0 {
		if v, ok := g.valueAt(Pos(s.valued) - 1); ok {
			t.Value = v
		}
	}
	t.ValueStale = g.storages.at(s.storage).mutated > max(s.valued, s.created+1)
	return t, true
}

// valueAt reads the value out of an event that carries one.
func (g *Graph) valueAt(p Pos) (Value, bool) {
	_, e, err := g.dec.Read(p)
	if err != nil {
		return Value{}, false
	}
	return NewValue(e)
}

// NewValue is the content that an event says an existing tensor has from now on: the
// one that was changed in place, shows other memory or was read, or the .grad that a
// gradient was added to. ok is false for an event that says none.
func NewValue(e Event) (v Value, ok bool) {
	switch e := e.(type) {
	case *Mutated:
		return e.Value, e.Value.Known()
	case *GradAccumulated:
		return e.Value, e.Value.Known()
	case *Reshaped:
		return e.Value, true
	case *ValueRead:
		return e.Value, len(e.Part) == 0 && e.Value.Known()
	}
	return Value{}, false
}

// RequiresGrad reports whether a tensor requires grad: its flag is set, it has a
// grad_fn, or it is a view of a tensor that requires grad.
func (g *Graph) RequiresGrad(id TensorID) bool {
	if !g.tensors.has(id) {
		return false
	}
	s := g.tensors.at(id)
	if s.flags&tensorRequiresGrad != 0 || s.node != 0 {
		return true
	}
	if s.base == 0 {
		return false
	}
	b := g.tensors.at(s.base)
	return b.flags&tensorRequiresGrad != 0 || b.node != 0
}

// Version is the current version of a tensor.
func (g *Graph) Version(id TensorID) uint32 {
	if !g.tensors.has(id) {
		return 0
	}
	return g.counters.at(g.tensors.at(id).counter).version
}
