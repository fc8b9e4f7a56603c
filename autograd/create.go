package autograd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"

	"github.com/gradtui/gradtui/autograd/random"
	"github.com/gradtui/gradtui/graph"
)

// DefaultGenerator is the random generator of operators that are called without
// one.
var DefaultGenerator = random.New(randomSeed())

// ManualSeed seeds the default generator, as torch.manual_seed does. seed is an
// integer from -2^63 to 2^64-1.
func ManualSeed(seed any) error {
	u, err := seedOf(seed)
	if err != nil {
		return noted(err, "manual_seed")
	}
	DefaultGenerator.Seed(u)
	return nil
}

func seedOf(seed any) (uint64, error) {
	if u, ok := seed.(uint64); ok {
		return u, nil
	}
	if s, ok := toScalar(seed); ok && s.IsInt() {
		return uint64(s.Int()), nil
	}
	if s, ok := toScalar(seed); ok && s.IsFloat() && s.Float() == math.Trunc(s.Float()) && (s.Float() >= 1<<64 || s.Float() < -(1<<63)) {
		return 0, fail(RuntimeError, CodeArgument, "Overflow when unpacking long")
	}
	return 0, fail(TypeError, CodeArgument, "manual_seed(): argument 'seed' must be int, not %s", pythonTypeOf(seed))
}

// New is torch.tensor: it makes a leaf from a number, a bool, or nested slices
// of them. As in Python, floats give the default dtype, ints int64 and bools
// bool; a mixture gives the highest of these. An error travels in the tensor.
func New(data any, opts ...Option) *Tensor {
	t, err := build(data, opts)
	if err != nil {
		return errTensor(noted(err, "tensor"))
	}
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
		recorder.leafMade(t)
	}
	return t
}

func build(data any, opts []Option) (*Tensor, error) {
	var want DType
	requires := false
	for _, o := range opts {
		ok := true
		switch o.Name {
		case "dtype":
			if o.Value != nil {
				want, ok = o.Value.(DType)
			}
		case "requires_grad":
			requires, ok = o.Value.(bool)
		case "device":
			var name string
			if o.Value != nil {
				name, ok = o.Value.(string)
			}
			if err := checkDevice(name); err != nil {
				return nil, err
			}
		case "pin_memory":
			_, ok = o.Value.(bool)
		default:
			return nil, fail(TypeError, CodeArgument, "tensor() got an unexpected keyword argument '%s'", o.Name)
		}
		if !ok {
			return nil, fail(TypeError, CodeArgument, "tensor(): argument '%s' cannot be %s", o.Name, pythonTypeOf(o.Value))
		}
	}
	if src, ok := data.(*Tensor); ok && src != nil {
		return copyConstruct("torch.tensor", src, want, requires)
	}
	if src, ok := data.(*Array); ok {
		t, err := src.tensor(want)
		if err != nil {
			return nil, err
		}
		return t, t.factoryGrad(requires)
	}
	b := &nested{}
	if err := b.measure(reflect.ValueOf(data)); err != nil {
		return nil, err
	}
	if err := b.collect(reflect.ValueOf(data), 0); err != nil {
		return nil, err
	}
	d := want
	if d == 0 {
		d = b.dtype()
	}
	for _, s := range b.numbers {
		if s.IsFloat() && d.IsFloat() {
			continue // too large values become infinite
		}
		if !fits(s, d) {
			return nil, fail(RuntimeError, CodeDType, "value cannot be converted to type %s without overflow", d)
		}
	}
	t := b.tensor(d)
	if err := t.factoryGrad(requires); err != nil {
		return nil, err
	}
	if len(b.from) > 0 {
		recordCut(graph.CutCopy, t, b.from...)
	}
	return t, nil
}

// tensor stores the numbers in a tensor.
func (b *nested) tensor(d DType) *Tensor {
	t := alloc(d, b.sizes)
	for i, s := range b.numbers {
		t.setElement(i, asDType(s, d))
	}
	return t
}

// factoryGrad sets requires_grad on a new tensor.
func (t *Tensor) factoryGrad(on bool) error {
	if !on {
		return nil
	}
	if !t.dtype.IsFloat() {
		return fail(RuntimeError, CodeDType, "Only Tensors of floating point and complex dtype can require gradients")
	}
	t.flags |= requiresGradFlag
	return nil
}

// copyConstruct is function(t) for torch.tensor and tensor.new_tensor. PyTorch
// warns about such calls.
func copyConstruct(function string, src *Tensor, want DType, requires bool) (*Tensor, error) {
	if src.err != nil {
		return nil, src.err
	}
	warn("UserWarning", "To copy construct from a tensor, it is recommended to use sourceTensor.clone().detach() or sourceTensor.clone().detach().requires_grad_(True), rather than "+function+"(sourceTensor).")
	if want == 0 {
		want = src.dtype
	}
	t := allocPreservingAs(src, want)
	copyData(t, src)
	if err := t.factoryGrad(requires); err != nil {
		return nil, err
	}
	recordCut(graph.CutCopy, t, src)
	return t, nil
}

// nested reads nested Go slices.
type nested struct {
	sizes   []int
	numbers []Scalar
	highest scalarKind
	from    []*Tensor // the tensors among the elements
	tensors DType     // the promoted dtype of these and of arrays
}

func (b *nested) dtype() DType {
	if len(b.numbers) == 0 && b.tensors == 0 {
		return defaultDType
	}
	d := defaultDType
	switch b.highest {
	case boolScalar:
		d = Bool
	case intScalar:
		d = Int64
	}
	if b.tensors != 0 {
		return promote(b.tensors, d)
	}
	return d
}

// measure determines the shape from the first element at each level.
func (b *nested) measure(v reflect.Value) error {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		if v.IsValid() {
			if a, ok := v.Interface().(*Array); ok {
				b.sizes = append(b.sizes, a.Sizes...)
			}
		}
		return nil
	}
	b.sizes = append(b.sizes, v.Len())
	if v.Len() == 0 {
		return nil
	}
	return b.measure(v.Index(0))
}

func (b *nested) collect(v reflect.Value, depth int) error {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return fail(RuntimeError, CodeArgument, "Could not infer dtype of NoneType")
	}
	if a, ok := v.Interface().(*Array); ok {
		return b.array(a, depth)
	}
	if depth < len(b.sizes) {
		if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
			return fail(TypeError, CodeArgument, "not a sequence")
		}
		if v.Len() != b.sizes[depth] {
			return fail(ValueError, CodeShape, "expected sequence of length %d at dim %d (got %d)", b.sizes[depth], depth, v.Len())
		}
		for i := range v.Len() {
			if err := b.collect(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return b.number(v)
}

// number reads an element.
func (b *nested) number(v reflect.Value) error {
	if t, ok := v.Interface().(*Tensor); ok && t != nil {
		if t.err != nil {
			return t.err
		}
		if t.Numel() != 1 {
			return fail(ValueError, CodeConversion, "only one element tensors can be converted to Python scalars")
		}
		b.numbers = append(b.numbers, t.element(t.at(0)))
		b.tensors = promoted(b.tensors, t.dtype)
		b.from = append(b.from, t)
		return nil
	}
	s, ok := toScalar(v.Interface())
	if ok {
		b.numbers = append(b.numbers, s)
		b.highest = max(b.highest, s.kind)
		return nil
	}
	if _, ok := v.Interface().(*big.Int); ok {
		return fail(RuntimeError, CodeArgument, "Overflow when unpacking long")
	}
	switch v.Kind() {
	case reflect.Uint64, reflect.Uint:
		return fail(RuntimeError, CodeArgument, "Overflow when unpacking long")
	case reflect.String:
		if len(b.sizes) > 0 {
			return fail(ValueError, CodeShape, "too many dimensions 'str'")
		}
		return fail(TypeError, CodeArgument, "new(): invalid data type 'str'")
	case reflect.Slice, reflect.Array:
		if b.highest == floatScalar {
			return fail(TypeError, CodeArgument, "must be real number, not %s", pythonTypeOf(v.Interface()))
		}
		return fail(TypeError, CodeArgument, "'%s' object cannot be interpreted as an integer", pythonTypeOf(v.Interface()))
	}
	return fail(RuntimeError, CodeArgument, "Could not infer dtype of %s", pythonTypeOf(v.Interface()))
}

// promoted returns the promotion of d and the dtypes seen before; 0 stands for
// none.
func promoted(before, d DType) DType {
	if before == 0 {
		return d
	}
	return promote(before, d)
}

// FromFloat32s makes a float32 tensor of the given shape, in row-major order,
// that uses data as its memory. Without a shape it is a scalar. Use New to copy
// a slice into a vector.
func FromFloat32s(data []float32, shape ...int) *Tensor { return fromSlice(data, Float32, shape) }

// FromFloat64s makes a float64 tensor of the given shape that uses data as its
// memory, as FromFloat32s does.
func FromFloat64s(data []float64, shape ...int) *Tensor { return fromSlice(data, Float64, shape) }

// FromInt64s makes an int64 tensor of the given shape that uses data as its
// memory, as FromFloat32s does.
func FromInt64s(data []int64, shape ...int) *Tensor { return fromSlice(data, Int64, shape) }

func fromSlice[T number](data []T, d DType, shape []int) *Tensor {
	for _, s := range shape {
		if s < 0 {
			return errTensor(noted(fail(RuntimeError, CodeShape, "Trying to create tensor with negative dimension %d: %s", s, shapeText(shape)), "from_slice"))
		}
	}
	if numel(shape) != len(data) {
		return errTensor(noted(fail(RuntimeError, CodeShape, "shape '%s' is invalid for input of size %d", shapeText(shape), len(data)), "from_slice"))
	}
	st := &storage{}
	switch data := any(data).(type) {
	case []float32:
		st.f32 = data
	case []float64:
		st.other = &otherData{f64: data}
	case []int64:
		st.other = &otherData{i64: data}
	}
	serials++
	st.born = serials
	t := &Tensor{st: st, version: &st.ver, sizes: shape, strides: contiguousStrides(shape), dtype: d, flags: contiguousFlag, serial: serials}
	if inferenceMode() {
		t.flags |= inferenceFlag
	}
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
		recorder.leafMade(t)
	}
	return t
}

// NewParameter is nn.Parameter(t): a leaf over the same memory and version
// counter, without history.
func NewParameter(t *Tensor, requiresGrad bool) *Tensor {
	if err := t.usable("detach"); err != nil {
		return errTensor(err)
	}
	p := t.shallow(t.sizes, t.strides, t.offset)
	p.flags |= parameterFlag
	if err := p.factoryGrad(requiresGrad); err != nil {
		return errTensor(noted(err, "Parameter"))
	}
	if recorder != nil {
		recorder.enter()
		defer recorder.leave()
		recorder.leafMade(p)
	}
	recordCut(graph.CutParameter, p, t)
	return p
}

// DeepCopy is copy.deepcopy(t): a leaf with a copy of the memory and of .grad.
func (t *Tensor) DeepCopy() (c *Tensor) {
	var err error
	defer func() {
		if err != nil {
			c = errTensor(err)
		}
	}()
	defer rescue(&err)
	if err := t.usable("__deepcopy__"); err != nil {
		return errTensor(err)
	}
	if !t.IsLeaf() {
		return errTensor(t.raise(fail(RuntimeError, CodeNotLeaf, "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001")))
	}
	c = copied(t, t.dtype)
	c.flags |= t.flags & (requiresGradFlag | parameterFlag)
	if !t.IsParameter() {
		c.version.v = 1
		if t.grad != nil {
			c.grad = copied(t.grad, t.grad.dtype)
			if recorder != nil {
				recordGradAssigned(c, c.grad)
			}
		}
	}
	recordCut(graph.CutDeepcopy, c, t)
	return c
}

// ShallowCopy is copy.copy(t): a leaf over the same memory with a version
// counter of its own.
func (t *Tensor) ShallowCopy() *Tensor {
	if err := t.usable("__copy__"); err != nil {
		return errTensor(err)
	}
	c := t.shallow(t.sizes, t.strides, t.offset)
	c.version = &counter{v: 1}
	if t.requiresGrad() {
		c.flags |= requiresGradFlag
	}
	recordCut(graph.CutCopy, c, t)
	return c
}

func randomSeed() uint64 {
	// A process without a seed gets different numbers each time.
	return rand.Uint64()
}
