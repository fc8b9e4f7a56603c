package pytorch

import (
	"math"

	"github.com/gradtui/gradtui/graph"
)

// A tensor is what is known about one that the program has, or had: the graph may still
// need it.
type tensor struct {
	id          graph.TensorID
	layout      *layout
	storage     *storage
	counter     *counter
	edge        edge    // its grad_fn; none for a leaf
	accumulator *node   // of a leaf, if one was needed
	base        *tensor // what it is a view of
	view        graph.ViewKind
	dead        bool
	named       graph.StringID // the name that it got last
	scope       graph.StringID // of the name
	zeroed      uint32         // its version, counted from 1, when it was set to zero last
}

// A storage is memory that tensors may share.
type storage struct {
	id     graph.StorageID
	device graph.StringID
	bytes  int
	key    int // that the program calls it by
	live   int // tensors in it that the program has
}

// A counter is a version counter.
type counter struct {
	id      graph.CounterID
	version uint32
}

// A layout is what many tensors have in common.
type layout struct {
	dtype  graph.DType
	shape  []int
	stride []int // nil: contiguous
	extent int   // bytes from the first element to the end of the last one
	device graph.StringID
}

// maxOffset bounds where in its storage a tensor begins.
const maxOffset = math.MaxInt

// mostDims bounds the dimensions of a tensor.
const mostDims = 64

// defineLayout takes a layout: number, dtype, shape, strides or None, device, bytes of an
// element.
func (t *Translator) defineLayout(f *fields) {
	number, dtype := f.int(0), f.text(1)
	l := &layout{dtype: dtypeOf(dtype), shape: f.ints(2), stride: f.ints(3)}
	size := f.bounded(5, 0, 1<<20)
	for _, n := range l.shape {
		f.bad = f.bad || n < 0
	}
	if f.bad || len(l.shape) > mostDims || l.stride != nil && len(l.stride) != len(l.shape) {
		f.bad = true
		return
	}
	switch device := f.text(4); device {
	case graph.CPU, "python": // Python code implements these tensors, so it is unknown
	case "meta":
		size = 0 // its tensors have no memory
		fallthrough
	default:
		l.device = t.batch.String(device)
	}
	l.extent = extent(l.shape, l.stride, size)
	t.layouts[number] = l
}

func dtypeOf(name string) graph.DType {
	if d, ok := graph.ParseDType(name); ok && d != graph.NoDType {
		return d
	}
	return graph.OtherDType
}

// extent is how many bytes lie between the first element and the end of the last one.
func extent(shape, stride []int, size int) int {
	if stride == nil {
		n := size
		for _, k := range shape {
			n = times(n, k)
		}
		return n
	}
	last := 1
	for d, k := range shape {
		if k == 0 {
			return 0
		}
		last = plus(last, times(k-1, max(stride[d], 0)))
	}
	return times(last, size)
}

// times and plus calculate with numbers that are not negative; what is too large stays
// the largest number.
func times(a, b int) int {
	if b != 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}

func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// end is how many bytes of its storage a tensor needs at least.
func (l *layout) end(offset int) int {
	if l.extent == 0 {
		return 0
	}
	return plus(l.extent, times(offset, max(l.dtype.Size(), 1)))
}

// tensors holds the tensors of the program.
type tensors struct {
	known    map[int]*tensor  // by the numbers that the program gave them
	storages map[int]*storage // by the keys that it calls them by
	last     graph.TensorID
	storage  graph.StorageID // the last one
	counter  graph.CounterID // the last one

	created graph.TensorCreated // its memory is used again
	mutated graph.Mutated
}

func (ts *tensors) init() {
	ts.known, ts.storages = map[int]*tensor{}, map[int]*storage{}
}

// newStorage is a storage for a tensor with a layout, which is on the device that this one
// names: tensors that share it are as well.
func (ts *tensors) newStorage(l *layout, bytes int) *storage {
	ts.storage++
	return &storage{id: ts.storage, device: l.device, bytes: bytes}
}

func (ts *tensors) newCounter(version uint32) *counter {
	ts.counter++
	return &counter{ts.counter, version}
}

// keyed is the storage with a key; a new one, for a tensor with a layout, if there is none.
// No two share the key 0, which stands for empty tensors.
func (ts *tensors) keyed(key int, l *layout, bytes int) *storage {
	s := ts.storages[key]
	if s == nil {
		s = ts.newStorage(l, bytes)
		ts.call(s, key)
	}
	return s
}

// call gives a storage a key, if it has none and nor has another one that key.
func (ts *tensors) call(s *storage, key int) {
	if s.key == 0 && key != 0 && ts.storages[key] == nil {
		s.key, ts.storages[key] = key, s
	}
}

// leave notes that a tensor of the program is no longer in its storage.
func (ts *tensors) leave(s *storage) {
	if s.live--; s.live == 0 && s.key != 0 && ts.storages[s.key] == s {
		delete(ts.storages, s.key) // the address will be used again
	}
}

// create announces a tensor. number is 0 for one that the program does not have.
func (t *Translator) create(number int, x *tensor, offset int, flags graph.TensorFlags, v any) {
	ts := &t.tensors
	ts.last++
	x.id = ts.last
	x.storage.live++
	x.storage.bytes = max(x.storage.bytes, x.layout.end(offset))
	if number != 0 {
		ts.known[number] = x
	}
	e := &ts.created
	*e = graph.TensorCreated{
		Tensor: x.id, Storage: x.storage.id, Bytes: uint64(x.storage.bytes), Counter: x.counter.id, Version: x.counter.version,
		DType: x.layout.dtype, Shape: x.layout.shape, Strides: x.layout.stride, Offset: uint64(offset),
		Flags: flags, Node: x.edge.id(), Output: x.edge.nr, Base: x.base.tensorID(), View: x.view, Value: valueOf(v, x.layout.dtype),
		Device: x.storage.device,
	}
	t.append(e)
}

// tensorID is the number of a tensor; 0 for None.
func (x *tensor) tensorID() graph.TensorID {
	if x == nil {
		return 0
	}
	return x.id
}

// viewed is what a view of the tensor has as its base.
func (x *tensor) viewed() *tensor {
	if x.base != nil {
		return x.base
	}
	return x
}

// changed moves the version of a tensor, if it is another one. That of an inference tensor
// does not move.
func (t *Translator) changed(x *tensor, version uint32, v any) {
	if from := x.counter.version; version > from {
		x.counter.version = version
		t.tensors.mutated = graph.Mutated{Tensor: x.id, From: from, To: version, Value: valueOf(v, x.layout.dtype)}
		t.append(&t.tensors.mutated)
	}
}

// died notes that the program has no more object for a tensor, of which the tape may never
// have heard.
func (t *Translator) died(number int) {
	x := t.tensors.known[number]
	if x == nil {
		return
	}
	delete(t.tensors.known, number)
	t.release(x)
}

// release says that the program has no object for a tensor.
func (t *Translator) release(x *tensor) {
	x.dead = true
	t.tensors.leave(x.storage)
	t.append(&graph.TensorReleased{Tensor: x.id})
}

// met takes the description of a tensor that exists already: number, layout, stack, flags,
// storage, offset, version, gradient edge, base, kind of view, value.
func (t *Translator) met(f *fields) {
	number, l, stack := f.int(0), t.layouts[f.int(1)], f.int(2)
	flags := enum[graph.TensorFlags](f, 3, 0, math.MaxUint8)
	key, offset, version := f.int(4), f.bounded(5, 0, maxOffset), uint32(f.count(6))
	base, view := f.tensorOrNone(8), enum[graph.ViewKind](f, 9, 0, graph.InferenceView)
	to := f.edge(7)
	if f.bad || l == nil || number <= 0 || t.tensors.known[number] != nil {
		f.bad = true
		return
	}
	t.at(stack)
	x := &tensor{layout: l, edge: to, view: view}
	if base != nil {
		x.base = base.viewed()
		x.storage, x.counter = x.base.storage, x.base.counter
		t.tensors.call(x.storage, key)
	} else {
		x.storage, x.counter = t.tensors.keyed(key, l, l.end(offset)), t.tensors.newCounter(version)
	}
	if flags&graph.FlagGradient == 0 {
		flags |= graph.FlagExisting
	}
	t.create(number, x, offset, flags, f.any(10))
	t.changed(x, version, nil)
}

// valueRead takes what a tensor holds that has not changed: number, version, part, value.
func (t *Translator) valueRead(f *fields) {
	x, version, part := f.tensor(0), uint32(f.count(1)), f.ints(2)
	if f.bad || x.layout == nil || len(part) > 0 && len(part) != 3*len(x.layout.shape) {
		f.bad = true
		return
	}
	if v := valueOf(f.any(3), x.layout.dtype); v.Known() && version == x.counter.version {
		t.append(&graph.ValueRead{Tensor: x.id, Version: version, Part: part, Value: v})
	}
}

// reshape makes a tensor show memory of a storage.
func (t *Translator) reshape(x *tensor, s *storage, l *layout, offset int, v any) {
	s.live++
	t.tensors.leave(x.storage)
	s.bytes = max(s.bytes, l.end(offset))
	x.storage, x.layout = s, l
	t.append(&graph.Reshaped{
		Tensor: x.id, Storage: s.id, Bytes: uint64(s.bytes), DType: l.dtype, Shape: l.shape, Strides: l.stride,
		Offset: uint64(offset), Value: valueOf(v, l.dtype), Device: s.device,
	})
}
