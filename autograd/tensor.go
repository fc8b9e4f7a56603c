package autograd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gradtui/gradtui/autograd/internal/repr"
	"github.com/gradtui/gradtui/graph"
)

// A Tensor is a strided view of a storage, as in PyTorch, with its place in the
// backward graph.
//
// An operator that fails returns a tensor that carries the error. Every
// operator propagates the error of its arguments, and Backward returns it. Err
// returns the error of such a tensor. A nil *Tensor stands for None.
type Tensor struct {
	st       *storage
	version  *counter // shared with views and detached tensors
	sizes    []int    // never changed, often shared
	strides  []int    // in elements; never changed
	offset   int      // of the first element in the storage
	dtype    DType
	flags    tensorFlags
	outputNr uint32
	gradFn   *Node
	grad     *Tensor
	ext      *extension // fields that few tensors need
	err      *Error
	serial   uint64 // order of creation in this process

	// single is the tensor itself as a list: the results of most operators.
	single [1]*Tensor

	id     graph.TensorID // on the tape of recorder generation gen
	gen    uint32
	refs   int32          // for gradients: the number of references from buffers of the backward engine
	handle uint32         // the front end's number for the tensor
	named  graph.StringID // the name bound last, on that tape,
	scope  graph.StringID // and its scope
}

type tensorFlags uint8

const (
	requiresGradFlag tensorFlags = 1 << iota
	parameterFlag
	inferenceFlag
	retainsGradFlag
	numberFlag     // a Python number that an operator wrapped
	contiguousFlag // elements are in row-major order without gaps
	releasedFlag   // recorded as released; the program may have got it again, as a .grad
	lentFlag       // it has had views that must not be used once it has a history
)

// An extension holds fields that most tensors do not need.
type extension struct {
	view        *viewInfo
	accumulator *Node // the AccumulateGrad node of a leaf
	hooks       []*hook
	postHooks   []*hook // post-accumulate-grad hooks
	tangent     *Tensor // of forward mode
	name        string
	rule        int // that says how much of it is recorded, see record_amounts.go
}

func (t *Tensor) extend() *extension {
	if t.ext == nil {
		t.ext = new(extension)
	}
	return t.ext
}

var serials uint64

// alloc makes a contiguous tensor of zeros. The caller must not change sizes
// afterwards.
func alloc(d DType, sizes []int) *Tensor { return allocStrided(d, sizes, contiguousStrides(sizes)) }

// allocLike makes a contiguous tensor of the same shape. It shares the slices
// of sizes and strides.
func allocLike(t *Tensor, d DType) *Tensor {
	if t.flags&contiguousFlag != 0 && rowMajor(t.sizes, t.strides) {
		return allocStrided(d, t.sizes, t.strides)
	}
	return alloc(d, t.sizes)
}

func allocStrided(d DType, sizes, strides []int) *Tensor {
	n, c := storageLength(d, sizes), classOf(d)
	var t *Tensor
	if c == f32Class && n <= middleElements {
		t = newSmall(n)
	} else {
		t = &Tensor{st: newStorage(c, n)}
	}
	t.dtype = d
	t.begin(sizes, strides)
	return t
}

// begin completes a tensor with new memory.
func (t *Tensor) begin(sizes, strides []int) {
	t.version = &t.st.ver
	t.sizes, t.strides, t.flags = sizes, strides, contiguousFlag
	if inferenceMode() {
		t.flags |= inferenceFlag
	}
	serials++
	t.serial, t.st.born = serials, serials
}

// alone returns a list that contains only t. It must not be changed.
func (t *Tensor) alone() []*Tensor {
	t.single[0] = t
	return t.single[:]
}

// shallow returns a tensor over the same storage and version counter.
func (t *Tensor) shallow(sizes, strides []int, offset int) *Tensor {
	countable(sizes)
	t.st.aliased = true
	v := &Tensor{st: t.st, version: t.version, sizes: sizes, strides: strides, offset: offset, dtype: t.dtype}
	v.flags = t.flags & inferenceFlag
	if isContiguous(sizes, strides) {
		v.flags |= contiguousFlag
	}
	serials++
	v.serial = serials
	return v
}

// errTensor returns the result of an operator that failed.
func errTensor(err error) *Tensor { return &Tensor{err: asError(err)} }

// noneError returns Python's error for an attribute of None.
func noneError(attribute string) *Error {
	return fail(AttributeError, CodeAttribute, "'NoneType' object has no attribute '%s'", attribute)
}

// usable returns an error if the method cannot work on t: t is nil or carries
// an error.
func (t *Tensor) usable(method string) error {
	switch {
	case t == nil:
		return noneError(method)
	case t.err != nil:
		return t.err
	}
	return nil
}

// Err returns the error of the operator that should have made the tensor, or
// nil.
func (t *Tensor) Err() error {
	if t == nil || t.err == nil {
		return nil
	}
	return t.err
}

// Shape returns the size of each dimension; nil for a 0-d tensor. The slice
// must not be changed.
func (t *Tensor) Shape() []int {
	if t == nil {
		return nil
	}
	return t.sizes
}

// Stride returns, for each dimension, the distance between adjacent elements in
// memory, counted in elements. The slice must not be changed.
func (t *Tensor) Stride() []int {
	if t == nil {
		return nil
	}
	return t.strides
}

// Size returns the size of one dimension, as t.size(dim). Negative dimensions
// count from the end.
func (t *Tensor) Size(dim int) (int, error) { return t.along(dim, t.Shape()) }

// StrideAlong returns the stride of one dimension in elements, as
// t.stride(dim). Negative dimensions count from the end.
func (t *Tensor) StrideAlong(dim int) (int, error) { return t.along(dim, t.Stride()) }

func (t *Tensor) along(dim int, list []int) (int, error) {
	if err := t.usable("size"); err != nil {
		return 0, err
	}
	if len(list) == 0 {
		return 0, t.raise(noDimensions(dim))
	}
	d, err := wrapDim(dim, len(list))
	if err != nil {
		return 0, t.raise(err)
	}
	return list[d], nil
}

// StorageOffset returns the position of the first element in the storage, in
// elements.
func (t *Tensor) StorageOffset() int {
	if t == nil {
		return 0
	}
	return t.offset
}

// Dim returns the number of dimensions.
func (t *Tensor) Dim() int { return len(t.Shape()) }

// Numel returns the number of elements.
func (t *Tensor) Numel() int {
	if t.usable("numel") != nil {
		return 0
	}
	return numel(t.sizes)
}

// DType returns the element type.
func (t *Tensor) DType() DType {
	if t == nil {
		return graph.NoDType
	}
	return t.dtype
}

// IsContiguous reports whether the elements are in row-major order without
// gaps.
func (t *Tensor) IsContiguous() bool {
	return t.usable("is_contiguous") == nil && t.flags&contiguousFlag != 0
}

// IsParameter reports whether the tensor is an nn.Parameter.
func (t *Tensor) IsParameter() bool { return t != nil && t.flags&parameterFlag != 0 }

// IsInference reports whether the tensor was made in inference mode.
func (t *Tensor) IsInference() bool { return t != nil && t.flags&inferenceFlag != 0 }

// OutputNr returns the index of the tensor among the outputs of its grad_fn.
func (t *Tensor) OutputNr() int {
	if t == nil {
		return 0
	}
	return int(t.outputNr)
}

// Version returns the number of in-place changes to the tensor's memory. It is
// an error for inference tensors, which do not count changes.
func (t *Tensor) Version() (int, error) {
	if err := t.usable("_version"); err != nil {
		return 0, err
	}
	if t.IsInference() {
		return 0, fail(RuntimeError, CodeInference, "Inference tensors do not track version counter.")
	}
	return int(t.version.v), nil
}

// bump counts an in-place change.
func (t *Tensor) bump() {
	t.st.writes++
	if t.flags&inferenceFlag == 0 {
		t.version.v++
	}
}

// SetName sets the tensor's name in recordings and returns the tensor.
func (t *Tensor) SetName(name string) *Tensor {
	if t.usable("") == nil {
		t.extend().name = name
		recordName(t, name)
	}
	return t
}

// Name returns the name given with SetName.
func (t *Tensor) Name() string {
	if t == nil || t.ext == nil {
		return ""
	}
	return t.ext.name
}

// String prints the tensor as PyTorch does. For a tensor that carries an error
// it returns the error's text.
func (t *Tensor) String() string {
	if t == nil {
		return "None"
	}
	if t.err != nil {
		return "<" + t.err.Error() + ">"
	}
	return repr.String(t.printed(), printOptions)
}

// Format implements fmt.Formatter. %v and %s print as String does; numeric
// verbs format the number in a tensor of one element.
func (t *Tensor) Format(f fmt.State, verb rune) {
	switch verb {
	case 'v', 's':
		fmt.Fprint(f, t.String())
		return
	}
	s, err := t.Item()
	if err != nil {
		fmt.Fprintf(f, "%%!%c(%s)", verb, err)
		return
	}
	if s.IsFloat() {
		fmt.Fprintf(f, fmt.FormatString(f, verb), s.Float())
	} else {
		fmt.Fprintf(f, fmt.FormatString(f, verb), s.Int())
	}
}

// PythonFormat formats the tensor as f"{t:spec}" does.
func (t *Tensor) PythonFormat(spec string) (string, error) {
	if err := t.usable("__format__"); err != nil {
		return "", err
	}
	s, err := repr.Format(t.printed(), printOptions, spec)
	if e := new(repr.Error); errors.As(err, &e) {
		return "", fail(ErrorType(e.Exception), CodeConversion, "%s", e.Message)
	}
	return s, err
}

var printOptions = repr.DefaultOptions()

// PrintOptions are the arguments of torch.set_printoptions.
type PrintOptions = repr.Change

// SciNotation returns a value for PrintOptions.SciMode: floats are always
// printed in scientific notation, or never.
func SciNotation(on bool) repr.Sci {
	if on {
		return repr.SciOn
	}
	return repr.SciOff
}

// SetPrintOptions changes how tensors are printed, as torch.set_printoptions
// does.
func SetPrintOptions(o PrintOptions) { printOptions = printOptions.Set(o) }

func (t *Tensor) printed() repr.Tensor {
	d := repr.Tensor{Shape: t.sizes, DType: t.dtype.String(), RequiresGrad: t.RequiresGrad(), Parameter: t.IsParameter()}
	if tangent := tangentOf(t); tangent != nil {
		d.Tangent = tangent.String()
	}
	switch classOf(t.dtype) {
	case f32Class:
		d.Values = repr.Floats(func(i int) float64 { return float64(t.st.f32[t.at(i)]) })
	case f64Class:
		d.Values = repr.Floats(func(i int) float64 { return t.st.other.f64[t.at(i)] })
	case i64Class:
		d.Values = repr.Ints(func(i int) int64 { return t.st.other.i64[t.at(i)] })
	default:
		d.Values = repr.Bools(func(i int) bool { return t.st.other.b[t.at(i)] })
	}
	switch fn, err := t.GradFn(); {
	case err != nil:
		d.GradFn = "Invalid"
	case fn != nil:
		d.GradFn = fn.ClassName()
	}
	return d
}

// at returns the position in the storage of the element with row-major index i.
func (t *Tensor) at(i int) int {
	if t.flags&contiguousFlag != 0 {
		return t.offset + i
	}
	p := t.offset
	for d := len(t.sizes) - 1; d >= 0; d-- {
		p += i % t.sizes[d] * t.strides[d]
		i /= t.sizes[d]
	}
	return p
}

func numel(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

var unitStride = []int{1}

// contiguousStrides returns the strides of a tensor in row-major order.
func contiguousStrides(sizes []int) []int {
	switch len(sizes) {
	case 0:
		return nil
	case 1:
		return unitStride
	}
	strides := make([]int, len(sizes))
	step := 1
	for d := len(sizes) - 1; d >= 0; d-- {
		strides[d] = step
		step *= max(sizes[d], 1)
	}
	return strides
}

// isContiguous reports whether strides are row-major. Like PyTorch it ignores
// the strides of dimensions of size 1 and of empty tensors.
func isContiguous(sizes, strides []int) bool {
	if slices.Contains(sizes, 0) {
		return true
	}
	step := 1
	for d := len(sizes) - 1; d >= 0; d-- {
		if sizes[d] == 1 {
			continue
		}
		if strides[d] != step {
			return false
		}
		step *= sizes[d]
	}
	return true
}

// isDense reports whether the elements fill a contiguous range of memory, in
// any order, without gaps or overlaps (is_non_overlapping_and_dense).
func isDense(sizes, strides []int) bool {
	if isContiguous(sizes, strides) {
		return true
	}
	order := make([]int, 0, len(sizes))
	for d := range sizes {
		if sizes[d] != 1 {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return strides[a] - strides[b] })
	step := 1
	for _, d := range order {
		if sizes[d] == 0 {
			return true
		}
		if strides[d] != step {
			return false
		}
		step *= sizes[d]
	}
	return true
}

// overlaps reports whether two elements of the tensor certainly share memory: a
// dimension larger than 1 has stride 0.
func overlaps(sizes, strides []int) bool {
	if slices.Contains(sizes, 0) {
		return false
	}
	for d := range sizes {
		if sizes[d] > 1 && strides[d] == 0 {
			return true
		}
	}
	return false
}
